// One process that is an isolate: from its start to its certain end.
import {
  cpuNotice,
  encodeText,
  heapNotice,
  type Image,
  isKernelError,
  type KernelHost,
  memoryNotice,
  ProcessEnded,
  type ProcessUse,
  type Sys,
  signals,
} from "../../../kernel/index.ts";
import type { Packed } from "../../node/wire/pack.ts";
import { awaitDisposal } from "./await-disposal.ts";
import type { Builtins } from "./builtins.ts";
import type { Call } from "./call-channel.ts";
import { findCall } from "./calls/call-list.ts";
import { bytesOfRead } from "./calls/files.ts";
import { heapLimitOf } from "./calls/processes.ts";
import { CpuBucket } from "./cpu-bucket.ts";
import { type Guest, ObjectTable, type Pool } from "./guest.ts";
import type { MemoryAccount } from "./memory-ledger.ts";
import type { ReadyIsolate } from "./ready-isolates.ts";
import { Requests } from "./requests.ts";
import { Threads } from "./threads.ts";

/** Things one process may have the kernel keep. */
const OBJECT_LIMIT = 65_536;
/** Between two looks at how long a process has computed, and whether its memory was too much. */
const WATCH_MS = 200;

export interface GuestProcessParts {
  readonly ready: ReadyIsolate;
  readonly image: Image;
  readonly sys: Sys;
  readonly host: KernelHost;
  readonly builtins: Builtins;
  readonly heapLimitMb: number;
  readonly account: MemoryAccount;
  readonly pool: Pool;
  /** An isolate for one more thread. */
  readonly takeIsolate: (heapLimitMb: number) => Promise<ReadyIsolate>;
  /** The isolate's thread cannot be stopped: only the end of the cell ends it. */
  readonly onStuck: (reason: string) => void;
}

export class GuestProcess {
  readonly #parts: GuestProcessParts;
  readonly #requests: Requests;
  readonly #threads: Threads;
  readonly #ended = Promise.withResolvers<number>();
  readonly #guest: Guest;
  /** Settles when the isolate's thread has left it. */
  #left: Promise<void> | undefined;

  constructor(parts: GuestProcessParts) {
    this.#parts = parts;
    const { host, ready } = parts;
    this.#requests = new Requests(
      (delayMs, callback) => host.setTimer(delayMs, callback),
      this.#ended.reject,
    );
    this.#threads = new Threads(parts);
    this.#guest = this.#makeGuest();
    ready.onCall = (call) => answer(this.#guest, this.#requests, call);
    ready.onFailure = this.#ended.reject;
    // A kill may come while run() has yet to wait for the end; unhandled, it would end the cell.
    this.#ended.promise.catch(() => undefined);
  }

  #makeGuest(): Guest {
    const { sys, image, builtins, account, pool, ready } = this.#parts;
    return {
      interrupt: () => ready.channel.interrupt(),
      sys,
      image,
      builtins,
      account,
      pool,
      requests: this.#requests,
      exit: this.#ended.resolve,
      objects: new ObjectTable(OBJECT_LIMIT),
      threads: this.#threads,
      thread: 0,
      state: new Map(),
    };
  }

  /** Resolves to the exit code; fails with ProcessEnded when the process was ended from outside. */
  async run(): Promise<number> {
    const { ready } = this.#parts;
    this.#left = ready.run().then(
      () => this.#ended.resolve(0),
      (error: unknown) => this.#ended.reject(error),
    );
    const stopWatching = await this.#watch();
    try {
      return await this.#ended.promise;
    } catch (error) {
      return await this.#failed(error);
    } finally {
      stopWatching();
      // Its isolates are seen once more before they end, for the CPU time they have used.
      this.use();
      this.kill();
    }
  }

  use(): ProcessUse {
    return this.#parts.account.use();
  }

  /** Ends the isolate: disposal, then, where its thread goes on all the same, the cell's end. */
  kill(): void {
    const { ready, host, onStuck, pool, account } = this.#parts;
    this.#requests.close();
    pool.leave(account);
    this.#threads.stopAll();
    ready.channel.close();
    if (ready.isolate.isDisposed) return;
    ready.isolate.dispose();
    this.#ended.reject(new ProcessEnded(0));
    // One that has not started has no thread to leave.
    if (this.#left === undefined) return;
    awaitDisposal({ host, account, left: this.#left, onStuck });
  }

  /** Looks after the limits of time, and for the ledger's verdict: a thread that sleeps does not end by it. */
  async #watch(): Promise<() => void> {
    const { sys, host, account } = this.#parts;
    const { cpuTimeLimitMs, cpuRefillMsPerSecond, wallClockLimitMs } = await sys.getrlimits();
    const startMs = host.monotonic();
    const bucket = new CpuBucket(cpuTimeLimitMs, cpuRefillMsPerSecond, startMs);
    let stop = (): void => undefined;
    const look = (): void => {
      const { cpuMs, isKilled } = account.use();
      const nowMs = host.monotonic();
      if (isKilled) return this.#end(signals.SIGKILL);
      if (bucket.isEmptyAfter(cpuMs, nowMs)) return this.#end(signals.SIGXCPU);
      if (nowMs - startMs > wallClockLimitMs) return this.#end(signals.SIGALRM);
      stop = host.setTimer(WATCH_MS, look);
    };
    stop = host.setTimer(WATCH_MS, look);
    return () => stop();
  }

  /** Sends the process a signal that no handler of its own keeps from ending it. */
  #end(signal: number): void {
    this.#ended.reject(new Overrun(signal));
  }

  /** What a process that ended without an exit code leaves. */
  async #failed(error: unknown): Promise<number> {
    const { sys, host, ready, account } = this.#parts;
    if (error instanceof ProcessEnded) throw error;
    // Whatever it failed with: the ledger had its code terminated.
    if (account.use().isKilled) return this.#dieAtLimit(signals.SIGKILL);
    if (error instanceof Overrun) return this.#dieAtLimit(error.signal);
    const message = error instanceof Error ? error.message : String(error);
    // Code that was terminated at its heap's limit fails with null.
    if (error === null || /memory limit|disposed during execution/.test(message)) {
      const words =
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory";
      await say(sys, `${words}\n`);
      return this.#dieAtLimit(signals.SIGABRT);
    }
    host.log({ level: "bug", message: `a guest's isolate failed: ${message}`, cause: error });
    await say(sys, `node: internal error (${ready.isolate.isDisposed ? "lost" : "failed"})\n`);
    return this.#die(signals.SIGABRT);
  }

  /** Dies by a signal that stands for a limit; says which to whoever started it. */
  async #dieAtLimit(signal: number): Promise<number> {
    const { sys, host, image } = this.#parts;
    const ended = { pid: await sys.getpid(), command: image.argv.join(" ") };
    const notice = await this.#noticeOf(signal, ended);
    if (notice !== undefined) host.tellSession(await sys.getsid(), notice);
    return this.#die(signal);
  }

  async #noticeOf(
    signal: number,
    ended: { readonly pid: number; readonly command: string },
  ): Promise<string | undefined> {
    const { sys, heapLimitMb } = this.#parts;
    if (signal === signals.SIGKILL) {
      return memoryNotice(ended, (await sys.sysinfo()).memory);
    }
    if (signal === signals.SIGABRT)
      return heapNotice(ended, heapLimitOf(this.#guest) ?? heapLimitMb);
    if (signal === signals.SIGXCPU) return cpuNotice(ended, await sys.getrlimits());
    return undefined;
  }

  async #die(signal: number): Promise<number> {
    const { sys } = this.#parts;
    const pid = await sys.getpid();
    if (signal !== signals.SIGKILL) {
      await sys.sigaction(signal, "default");
      await sys.sigprocmask("unblock", [signal]);
      await sys.kill(pid, signal);
    }
    // Something of the process itself has taken the signal.
    await sys.kill(pid, signals.SIGKILL);
    throw new ProcessEnded(0);
  }
}

class Overrun extends Error {
  readonly signal: number;

  constructor(signal: number) {
    super(`ended by signal ${signal}`);
    this.signal = signal;
  }
}

async function say(sys: Sys, text: string): Promise<void> {
  try {
    await sys.write(2, encodeText(text));
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

/** A call goes to its handler; one with a number is answered at once, and completed later. */
function answer(
  guest: Guest,
  requests: Requests,
  { name, args, request }: Call,
): Packed | Promise<Packed> {
  const handler = findCall(name);
  if (request === 0) return handler(guest, args);
  requests.start(request, args, () => handler(guest, args), bytesOfRead(name, args));
  return undefined;
}
