// What a cell's memory calls for, without a clock or a process of its own. Garbage that nobody has
// collected is memory, too, so a cell is asked to clean up before it is judged by what it keeps.

/** `relieve`: clean up. `short`: that did not help, the largest process must end. `memory`: end the cell. */
export type PressureVerdict = "fine" | "relieve" | "short" | "memory";

/** The part of the limit from which on a cell is asked to clean up. */
const HIGH = 0.75;
/**
 * So far above its limit a cell is ended at once; at the limit itself a process is. Between the two is what guests
 * fill before the killed process is gone, for V8 tells nobody of a `memory.grow`; and the heap of that process, whose
 * pages V8 keeps for ten seconds for the next one.
 */
const FAR_ABOVE = 1;
const FAR_ABOVE_BYTES = 256 * 1024 * 1024;
/** What must come up after a cleaning for the next one to come before its time. */
const STEP = 1 / 16;

/** How long a cell may be above its limit: longer than V8 keeps pages of processes that have ended. */
const GRACE_MS = 15_000;
/** The most that one look counts of that; a server that stood still has not given the cell its time. */
const GRACE_STEP_MS = 250;
/** Between two cleanings of a cell that fills up. */
const RELIEVE_EVERY_MS = 300;
/** Between two of one that stays as it is: what it holds is in use, or its user has ended since. */
const RELIEVE_AGAIN_MS = 5_000;

export class MemoryPressure {
  /** At this a process is killed. */
  limitBytes: number;
  /** How long the cell has been above its limit. */
  #aboveMs = 0;
  #sinceReliefMs = Number.POSITIVE_INFINITY;
  /** Whether the cell owes the answer to the last `relieve`. */
  #isRelieving = false;
  /** Whether the next look is the first after a cleaning. */
  #isRelieved = false;
  /** What was left after the last cleaning. */
  #keptBytes = 0;
  #isHigh = false;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** Whether the last look found much in use: then the next one should come soon. */
  get isHigh(): boolean {
    return this.#isHigh;
  }

  /** The cell has cleaned up. */
  relieved(): void {
    this.#isRelieving = false;
    this.#isRelieved = true;
  }

  judge(elapsedMs: number, residentBytes: number): PressureVerdict {
    const limit = this.limitBytes;
    this.#sinceReliefMs += elapsedMs;
    this.#aboveMs = residentBytes > limit ? this.#aboveMs + Math.min(elapsedMs, GRACE_STEP_MS) : 0;
    if (residentBytes > endOf(limit) || this.#aboveMs > GRACE_MS) return "memory";
    this.#isHigh = residentBytes > limit * HIGH;
    if (this.#isRelieved) {
      this.#isRelieved = false;
      this.#keptBytes = residentBytes;
      if (residentBytes > limit) return "short";
    }
    if (!this.#isHigh || !this.#isDue(residentBytes)) return "fine";
    this.#sinceReliefMs = 0;
    this.#isRelieving = true;
    return "relieve";
  }

  #isDue(residentBytes: number): boolean {
    if (this.#isRelieving || this.#sinceReliefMs < RELIEVE_EVERY_MS) return false;
    if (residentBytes > this.limitBytes) return true;
    const hasGrown = residentBytes > this.#keptBytes + this.limitBytes * STEP;
    return hasGrown || this.#sinceReliefMs >= RELIEVE_AGAIN_MS;
  }
}

function endOf(limitBytes: number): number {
  return limitBytes + Math.max(FAR_ABOVE_BYTES, limitBytes * FAR_ABOVE);
}
