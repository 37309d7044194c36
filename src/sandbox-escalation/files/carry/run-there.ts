import { drainOutput } from "../../controller/drain-output.ts";
import { TailLog } from "../../controller/tail-log.ts";
import { SandboxError, type SandboxProcess } from "../../provider.ts";
import type { ExecHost } from "../exec/exec-agent.ts";

export interface RunThere {
  readonly argv: readonly string[];
  readonly input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly take: (bytes: Uint8Array) => void | Promise<void>;
  readonly signal: AbortSignal;
}

export interface RanThere {
  readonly status: number;
  /** The end of what it complained about, in one line. */
  readonly complaint: string;
}

/** While nothing moves for so long, nothing will. */
const STALL_MS = 60_000;
const COMPLAINT_BYTES = 2048;

/**
 * Runs a program in a sandbox to its end, with input and output. Fails with the signal's reason at once, with
 * what gives input or takes output throws, and with SandboxError "failed" when it stalls.
 */
export async function runThere(host: ExecHost, run: RunThere): Promise<RanThere> {
  run.signal.throwIfAborted();
  const complaints = new TailLog(COMPLAINT_BYTES);
  const watch = new StallWatch(run.signal);
  const spawned = host.spawn(run.argv, { cwd: host.cwd, env: {} });
  try {
    const process = await Promise.race([spawned, watch.failed]);
    const fed = feed(process, run.input, watch);
    const drained = drainOutput(process, {
      out: async (bytes) => {
        watch.moved();
        await run.take(bytes);
      },
      error: (bytes) => complaints.add("stderr", bytes),
    });
    const [{ status }] = await Promise.race([Promise.all([drained, fed]), watch.failed]);
    const complaint = new TextDecoder().decode(complaints.bytes());
    return { status, complaint: complaint.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim() };
  } catch (error) {
    // One that comes later ends as well.
    spawned.then((process) => process.kill("SIGKILL")).catch(() => undefined);
    throw error;
  } finally {
    watch.end();
  }
}

/** Who takes no more input says by its status why. */
async function feed(
  process: SandboxProcess,
  input: RunThere["input"],
  watch: StallWatch,
): Promise<void> {
  for await (const bytes of input) {
    const isTaken = await process.writeInput(bytes).then(
      () => true,
      () => false,
    );
    if (!isTaken) return;
    watch.moved();
  }
  await process.closeInput().catch(() => undefined);
}

class StallWatch {
  /** Rejects when nothing moves, or the signal says so. */
  readonly failed: Promise<never>;
  readonly #signal: AbortSignal;
  #fail: (error: unknown) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #abort = (): void => this.#fail(this.#signal.reason);

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    this.failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    // Whoever races with it may have won.
    this.failed.catch(() => undefined);
    signal.addEventListener("abort", this.#abort, { once: true });
    this.moved();
  }

  moved(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.#fail(new SandboxError("failed", "the sandbox does not answer")),
      STALL_MS,
    );
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#abort);
  }
}
