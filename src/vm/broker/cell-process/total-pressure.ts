// What the memory of all cells together calls for, without a clock or a process of its own.

/** `short`: a process of the largest cell must end. `memory`: that cell itself. */
export type TotalVerdict = "fine" | "short" | "memory";

/** So far above the limit a whole cell is ended, at least: a guest fills a gigabyte before a process is gone. */
const FAR_ABOVE = 0.15;
const FAR_ABOVE_BYTES = 256 * 1024 * 1024;
/** Between two processes that must end: as long as one needs to be gone. */
const SHORT_EVERY_MS = 500;

export class TotalPressure {
  readonly limitBytes: number;
  #sinceShortMs = Number.POSITIVE_INFINITY;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  judge(elapsedMs: number, sumBytes: number): TotalVerdict {
    this.#sinceShortMs += elapsedMs;
    if (sumBytes <= this.limitBytes) return "fine";
    const end = this.limitBytes + Math.max(this.limitBytes * FAR_ABOVE, FAR_ABOVE_BYTES);
    if (sumBytes > end) return "memory";
    if (this.#sinceShortMs < SHORT_EVERY_MS) return "fine";
    this.#sinceShortMs = 0;
    return "short";
  }
}
