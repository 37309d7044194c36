// A child that its parent waits for: its input, its output, its time.
import {
  findSignalName,
  isKernelError,
  KernelError,
  POLLIN,
  POLLOUT,
  ProcessEnded,
  signals,
  type WaitStatus,
} from "../../../../kernel/index.ts";
import type { Packed } from "../../../node/wire/pack.ts";
import { bytes, int, list } from "../arguments.ts";
import type { Guest } from "../guest.ts";
import { type ChildWish, startChild } from "./start-child.ts";

type Sys = Guest["sys"];

/** The most output that is kept of one child, whatever it asked for. */
const OUTPUT_LIMIT_BYTES = 192 << 20;
const READ_BYTES = 65_536;
/** Most children say little. */
const FIRST_READ_BYTES = 4096;

export interface RunOptions {
  /** 0: none. */
  readonly timeoutMs: number;
  /** 0: none of its own. */
  readonly maxBuffer: number;
  readonly killSignal: number;
  /** [fd, bytes] each. */
  readonly inputs: Packed;
}

/** {pid, failure, status, signal, output: [[fd, bytes]]}, see node's spawn_sync.cc. */
export async function runChild(
  guest: Guest,
  wish: ChildWish,
  options: RunOptions,
): Promise<Packed> {
  const { sys } = guest;
  const inputs = inputsOf(options.inputs);
  const { pid, failure, pipes } = await startChild(guest, wish);
  if (pid === undefined) {
    for (const fd of pipes.values()) await sys.close(fd);
    return { pid: 0, failure: failure?.errno };
  }
  const run = new ChildRun(sys, pid, options);
  const stop = run.startTimer();
  try {
    await run.pump(pipes, inputs);
    const status = await run.ended;
    return {
      pid,
      failure: run.failure,
      status: status.kind === "exited" ? status.code : null,
      signal: status.kind === "signaled" ? (findSignalName(status.signal) ?? null) : null,
      output: [...run.output].map(([fd, parts]): Packed => [fd, Buffer.concat(parts)]),
    };
  } finally {
    stop();
    for (const fd of pipes.values()) await sys.close(fd);
  }
}

function inputsOf(inputs: Packed): Map<number, Uint8Array> {
  const all = list([inputs], 0);
  return new Map(
    all.map((_, at) => {
      const one = list(all, at);
      return [int(one, 0), bytes(one, 1)];
    }),
  );
}

class ChildRun {
  readonly ended: Promise<WaitStatus>;
  readonly output = new Map<number, Uint8Array[]>();
  failure: string | undefined;
  readonly #sys: Sys;
  readonly #pid: number;
  readonly #options: RunOptions;
  readonly #killed = Promise.withResolvers<void>();
  #size = 0;
  #isOver = false;

  constructor(sys: Sys, pid: number, options: RunOptions) {
    this.#sys = sys;
    this.#pid = pid;
    this.#options = options;
    this.ended = this.#wait();
    // Whoever waits gets the failure; nobody may by then.
    this.ended.catch(() => undefined);
  }

  async #wait(): Promise<WaitStatus> {
    for (;;) {
      try {
        const waited = await this.#sys.wait({ pid: this.#pid });
        if (waited !== undefined) return waited.status;
      } catch (error) {
        if (!isKernelError(error, "EINTR")) throw error;
      }
    }
  }

  startTimer(): () => void {
    const { timeoutMs } = this.#options;
    if (timeoutMs <= 0) return () => undefined;
    const timer = setTimeout(() => this.#kill("ETIMEDOUT"), Math.min(timeoutMs, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  }

  /** Resolves when all pipes are at their end, or nobody looks at them any more. */
  async pump(
    pipes: ReadonlyMap<number, number>,
    inputs: ReadonlyMap<number, Uint8Array>,
  ): Promise<void> {
    const all = [...pipes].map(async ([fd, own]) => {
      const input = inputs.get(fd);
      if (fd === 0) return this.#feed(own, input ?? new Uint8Array());
      const parts: Uint8Array[] = [];
      this.output.set(fd, parts);
      await Promise.all([input && this.#feed(own, input), this.#drain(own, parts)]);
    });
    const drained = Promise.all(all);
    drained.catch(() => undefined);
    await Promise.race([drained, this.#killed.promise]);
    this.#isOver = true;
  }

  async #feed(fd: number, input: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < input.length && !this.#isOver; )
        at += await this.#sys
          .write(fd, input.subarray(at))
          .catch((error: unknown) => this.#untilReady(error, fd, POLLOUT));
      if (!this.#isOver) await this.#sys.shutdown(fd, 1);
    } catch (error) {
      // A child need not read its input.
      if (!isKernelError(error)) throw error;
    }
  }

  async #drain(fd: number, parts: Uint8Array[]): Promise<void> {
    let into = new Uint8Array(FIRST_READ_BYTES);
    while (!this.#isOver) {
      let count: number;
      try {
        count = await this.#sys.read(fd, into);
      } catch (error) {
        if (isKernelError(error, "ECONNRESET")) return;
        await this.#untilReady(error, fd, POLLIN);
        continue;
      }
      if (count === 0) return;
      parts.push(into.slice(0, count));
      if (count === into.length && count < READ_BYTES) into = new Uint8Array(READ_BYTES);
      this.#size += count;
      const { maxBuffer } = this.#options;
      const most = maxBuffer > 0 ? Math.min(maxBuffer, OUTPUT_LIMIT_BYTES) : OUTPUT_LIMIT_BYTES;
      if (this.#size > most) this.#kill("ENOBUFS");
    }
  }

  async #untilReady(error: unknown, fd: number, events: number): Promise<number> {
    if (!isKernelError(error, "EAGAIN")) throw error;
    await this.#sys.poll([{ fd, events }], -1);
    return 0;
  }

  #kill(failure: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.failure = failure;
    this.#send(this.#options.killSignal).catch((error: unknown) => {
      if (!isKernelError(error) && !(error instanceof ProcessEnded)) throw error;
    });
    this.#killed.resolve();
  }

  async #send(signal: number): Promise<void> {
    const sent = signal > 0 ? signal : signals.SIGTERM;
    try {
      await this.#sys.kill(this.#pid, sent);
    } catch (error) {
      if (!(error instanceof KernelError) || error.errno === "ESRCH") throw error;
      await this.#sys.kill(this.#pid, signals.SIGKILL);
    }
  }
}
