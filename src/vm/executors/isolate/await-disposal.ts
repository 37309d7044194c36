/** Waits for the thread of an isolate that was disposed of: where it never leaves, only the end of the cell ends it. */
import type { KernelHost } from "../../../kernel/index.ts";
import type { MemoryAccount } from "./memory-ledger.ts";

/**
 * A thread that has computed for so long since is in code that V8 cannot break off. Counted in CPU time: V8 collects a
 * heap of a gigabyte to the end before it lets go, and on a busy machine that takes many seconds of the clock.
 */
const STUCK_CPU_MS = 10_000;
/** The same for one that does not compute at all. */
const STUCK_MS = 60_000;
/** Between two looks. */
const LOOK_MS = 1_000;

export interface DisposedThread {
  readonly host: KernelHost;
  /** Of its process. */
  readonly account: MemoryAccount;
  /** Settles when the thread has left the isolate. */
  readonly left: Promise<void>;
  readonly onStuck: (reason: string) => void;
}

/** Call it when the isolate has been disposed of. */
export function awaitDisposal({ host, account, left, onStuck }: DisposedThread): void {
  const startMs = host.monotonic();
  const startCpuMs = account.use().cpuMs;
  let stop = (): void => undefined;
  const look = (): void => {
    const isStuck =
      account.use().cpuMs - startCpuMs >= STUCK_CPU_MS || host.monotonic() - startMs >= STUCK_MS;
    if (isStuck) onStuck("a thread goes on after its disposal");
    else stop = host.setTimer(LOOK_MS, look);
  };
  stop = host.setTimer(LOOK_MS, look);
  left
    .finally(() => stop())
    .catch((cause: unknown) => {
      host.log({ level: "bug", message: "the end of a guest's thread failed", cause });
    });
}
