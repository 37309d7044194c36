// A guest's calls that it does not wait for: how many there may be, and their completions.
import { isKernelError, type KernelError, ProcessEnded } from "../../../kernel/index.ts";
import type { Packed } from "../../node/wire/pack.ts";
import type { Arguments } from "./arguments.ts";
import type { RequestTable } from "./guest.ts";

/** Calls one process may have under way. */
const REQUEST_LIMIT = 16_384;

export class Requests implements RequestTable {
  readonly #running = new Map<number, AbortController>();
  readonly #signals = new WeakMap<Arguments, AbortSignal>();
  readonly #setTimer: (delayMs: number, callback: () => void) => () => void;
  #completions: Packed[] = [];
  #wake: (() => void) | undefined;

  constructor(setTimer: (delayMs: number, callback: () => void) => () => void) {
    this.#setTimer = setTimer;
  }

  /** Starts a call under a number of the guest's choice. */
  start(id: number, args: Arguments, call: () => Packed | Promise<Packed>): void {
    if (this.#running.size >= REQUEST_LIMIT) {
      this.#complete(id, ["EAGAIN", undefined], undefined);
      return;
    }
    const abort = new AbortController();
    this.#running.set(id, abort);
    this.#signals.set(args, abort.signal);
    this.#run(id, abort, call).catch((error: unknown) => {
      if (!(error instanceof ProcessEnded)) throw error;
    });
  }

  async #run(
    id: number,
    abort: AbortController,
    call: () => Packed | Promise<Packed>,
  ): Promise<void> {
    try {
      const value = await call();
      if (!abort.signal.aborted) this.#complete(id, undefined, value);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (!abort.signal.aborted) this.#complete(id, failureOf(error), undefined);
    } finally {
      if (this.#running.get(id) === abort) this.#running.delete(id);
    }
  }

  #complete(id: number, failure: Packed, value: Packed): void {
    this.#completions.push([id, failure, value]);
    this.#wake?.();
  }

  cancel(id: number): void {
    this.#running.get(id)?.abort();
    this.#running.delete(id);
  }

  signalOf(args: Arguments): AbortSignal | undefined {
    return this.#signals.get(args);
  }

  async poll(timeoutMs: number): Promise<Packed[]> {
    if (this.#completions.length === 0 && timeoutMs !== 0) await this.#wait(timeoutMs);
    // Completions of calls that are given up between two polls are dropped by the guest.
    return this.#completions.splice(0);
  }

  #wait(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = timeoutMs < 0 ? undefined : this.#setTimer(timeoutMs, () => this.#wake?.());
      this.#wake = () => {
        this.#wake = undefined;
        stop?.();
        resolve();
      };
    });
  }

  /** Gives up all there is; the process has ended. */
  close(): void {
    for (const abort of this.#running.values()) abort.abort();
    this.#running.clear();
  }
}

/** An errno as the guest gets it. */
export function failureOf(error: KernelError): Packed {
  return [error.errno, error.subject];
}
