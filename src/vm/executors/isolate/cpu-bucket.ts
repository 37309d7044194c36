/**
 * The CPU time a process may use: a bucket that computing empties and time fills again. So a long computation comes to
 * its end, a server that rests between requests runs for ever, and an endless loop is stopped.
 */
export class CpuBucket {
  readonly #capacityMs: number;
  readonly #refillMsPerSecond: number;
  #levelMs: number;
  #lookedAtMs: number;
  #seenCpuMs = 0;

  constructor(capacityMs: number, refillMsPerSecond: number, nowMs: number) {
    this.#capacityMs = capacityMs;
    this.#refillMsPerSecond = refillMsPerSecond;
    this.#levelMs = capacityMs;
    this.#lookedAtMs = nowMs;
  }

  /**
   * Whether the bucket is empty. `cpuMs` is what the process has used since it started; it may be less than before
   * when one of its threads has ended.
   */
  isEmptyAfter(cpuMs: number, nowMs: number): boolean {
    const spentMs = Math.max(0, cpuMs - this.#seenCpuMs);
    const refillMs = ((nowMs - this.#lookedAtMs) / 1000) * this.#refillMsPerSecond;
    this.#levelMs = Math.min(this.#capacityMs, this.#levelMs + refillMs - spentMs);
    this.#seenCpuMs = cpuMs;
    this.#lookedAtMs = nowMs;
    return this.#levelMs <= 0;
  }
}
