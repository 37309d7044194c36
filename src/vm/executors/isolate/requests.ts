// A guest's calls that it does not wait for: how many there may be, and their completions.
import { isKernelError, KernelError, ProcessEnded } from "../../../kernel/index.ts";
import type { Packed } from "../../node/wire/pack.ts";
import type { Arguments } from "./arguments.ts";
import type { RequestTable } from "./guest.ts";

/** Calls one process may have under way. */
const REQUEST_LIMIT = 16_384;
/** Bytes that wait to be taken: with more, further calls start only after some are taken. */
const WAITING_LIMIT_BYTES = 4 * 1024 * 1024;
/** Completions that wait to be taken, those of refused calls among them. */
const COMPLETION_LIMIT = 4 * REQUEST_LIMIT;

type Call = () => Packed | Promise<Packed>;

interface Completion {
  readonly packed: Packed;
  readonly bytes: number;
}

export class Requests implements RequestTable {
  readonly #running = new Map<number, AbortController>();
  readonly #signals = new WeakMap<Arguments, AbortSignal>();
  readonly #setTimer: (delayMs: number, callback: () => void) => () => void;
  readonly #onFailure: (error: unknown) => void;
  #completions: Completion[] = [];
  #waitingBytes = 0;
  /** Calls that start when there is room for what they bring. */
  #held: (() => void)[] = [];
  #wake: (() => void) | undefined;

  /** `onFailure` gets what a call fails with that is no errno: the process cannot go on. */
  constructor(
    setTimer: (delayMs: number, callback: () => void) => () => void,
    onFailure: (error: unknown) => void,
  ) {
    this.#setTimer = setTimer;
    this.#onFailure = onFailure;
  }

  /**
   * Starts a call under a number of the guest's choice. `bringsBytes`: what it takes while it runs,
   * where it is sure to end soon.
   */
  start(id: number, args: Arguments, call: Call, bringsBytes = 0): void {
    if (this.#completions.length >= COMPLETION_LIMIT) throw new KernelError("EAGAIN");
    if (this.#running.size >= REQUEST_LIMIT) {
      this.#complete(id, ["EAGAIN", undefined], undefined);
      return;
    }
    const abort = new AbortController();
    this.#running.set(id, abort);
    this.#signals.set(args, abort.signal);
    const run = (): void => {
      this.#waitingBytes += bringsBytes;
      const release = (): void => {
        this.#waitingBytes -= bringsBytes;
        this.#startHeld();
      };
      this.#run(id, abort, call)
        .finally(release)
        .catch((error: unknown) => {
          if (!(error instanceof ProcessEnded)) this.#onFailure(error);
        });
    };
    if (this.#waitingBytes < WAITING_LIMIT_BYTES) run();
    else if (this.#held.length < REQUEST_LIMIT) this.#held.push(run);
    else throw new KernelError("EAGAIN");
  }

  async #run(id: number, abort: AbortController, call: Call): Promise<void> {
    if (abort.signal.aborted) return;
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
    const bytes = bytesIn(value);
    this.#completions.push({ packed: [id, failure, value], bytes });
    this.#waitingBytes += bytes;
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
    const taken = this.#completions.splice(0, this.#countToTake());
    for (const { bytes } of taken) this.#waitingBytes -= bytes;
    this.#startHeld();
    return taken.map(({ packed }) => packed);
  }

  #startHeld(): void {
    while (this.#waitingBytes < WAITING_LIMIT_BYTES && this.#held.length > 0)
      this.#held.shift()?.();
  }

  /** As many as one answer may bring: at least one. */
  #countToTake(): number {
    let sum = 0;
    const last = this.#completions.findIndex(({ bytes }) => (sum += bytes) >= WAITING_LIMIT_BYTES);
    return last < 0 ? this.#completions.length : last + 1;
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
    this.#held = [];
    this.#completions = [];
  }
}

/** What a value holds in bytes and texts. */
export function bytesIn(value: Packed): number {
  if (value instanceof Uint8Array || typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  const parts: readonly Packed[] = Array.isArray(value) ? value : Object.values(value);
  return parts.reduce<number>((sum, one) => sum + bytesIn(one), 8);
}

/** An errno as the guest gets it, with what it is about and which rule or limit it comes from. */
export function failureOf(error: KernelError): Packed {
  return [error.errno, error.subject, error.reason];
}
