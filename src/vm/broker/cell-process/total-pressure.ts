// What the memory of all cells together calls for, without a clock or a process of its own.

/** `short`: a process of the largest cell must end. `memory`: that cell itself. */
export type TotalVerdict = "fine" | "short" | "memory";

/** The part of the limit above which a whole cell is ended. */
const FAR_ABOVE = 1.15;
/** Between two processes that must end: as long as one needs to be gone. */
const SHORT_EVERY_MS = 500;

export class TotalPressure {
  readonly #limitBytes: number;
  #sinceShortMs = Number.POSITIVE_INFINITY;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  judge(elapsedMs: number, sumBytes: number): TotalVerdict {
    this.#sinceShortMs += elapsedMs;
    if (sumBytes <= this.#limitBytes) return "fine";
    if (sumBytes > this.#limitBytes * FAR_ABOVE) return "memory";
    if (this.#sinceShortMs < SHORT_EVERY_MS) return "fine";
    this.#sinceShortMs = 0;
    return "short";
  }
}
