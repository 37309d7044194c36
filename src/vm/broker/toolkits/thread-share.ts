import { setTimeout } from "node:timers/promises";

/** After work a VM rests that many times as long: it has a quarter of the server's thread. */
const REST = 3;
/** What may be owed before the next work waits. */
const BURST_MS = 5;

/** Rejects with the signal's reason. */
async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await setTimeout(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** What one VM takes of the server's thread, which all VMs share: work beyond its share waits. */
export class ThreadShare {
  readonly #now: () => number;
  #owedMs = 0;
  #countedAt: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#countedAt = now();
  }

  /** Does work when there is time for it, one after the other; rejects with the signal's reason while it waits. */
  readonly run = async <T>(work: () => T, signal?: AbortSignal): Promise<Awaited<T>> => {
    for (let ms = this.#restMs(); ms > 0; ms = this.#restMs()) await sleep(ms, signal);
    // Nothing is awaited between the look at what is owed and the work.
    return await this.measure(work);
  };

  /** Does work that cannot wait; the next pays for it. */
  measure<T>(work: () => T): T {
    this.#payByRest();
    const startedAt = this.#countedAt;
    try {
      return work();
    } finally {
      this.#countedAt = this.#now();
      this.#owedMs += this.#countedAt - startedAt;
    }
  }

  #restMs(): number {
    this.#payByRest();
    return Math.ceil(Math.max(0, this.#owedMs - BURST_MS) * REST);
  }

  #payByRest(): void {
    const now = this.#now();
    this.#owedMs = Math.max(0, this.#owedMs - (now - this.#countedAt) / REST);
    this.#countedAt = now;
  }
}
