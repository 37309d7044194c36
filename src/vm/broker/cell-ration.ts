import { limitTable } from "../../kernel/index.ts";

/** What a cell may send in a second: the limits of its VM with these names. */
export interface RationLimits {
  readonly cellFramesPerSecond: number;
  readonly cellBytesPerSecond: number;
}

/** The server's clock and event loop; tests turn the hands themselves. */
export interface RationClock {
  now(): number;
  /** Calls back in so many milliseconds; 0 is after the others' turn. */
  later(delayMs: number, callback: () => void): void;
}

/** Work that one cell gets at a time, about half a millisecond. Then the other cells and clients have their turn. */
const SLICE_WORK = 100;
/** As much work as a frame is: 256 bytes of a header, which is parsed and checked, or 16 KiB of a body, which is copied. */
const HEADER_SHIFT = 8;
const BODY_SHIFT = 14;

/**
 * What one cell may send. Each frame is charged, whatever it says; it costs additions alone. A cell that sends much
 * gives way to others after each slice; one that sends more than its ration waits until it has some again. Either
 * way nobody reads its wire meanwhile, so an honest cell is slowed and loses nothing.
 */
export class CellRation {
  readonly #clock: RationClock;
  #limits: RationLimits;
  /** Left of the ration, at most that of one second. Below zero it is used up. */
  #frames: number;
  #bytes: number;
  #lastMs: number;
  /** In this slice. */
  #work = 0;
  #sliceFrames = 0;
  #sliceBytes = 0;

  constructor(clock: RationClock = hostClock, limits: RationLimits = defaults) {
    this.#clock = clock;
    this.#limits = limits;
    this.#frames = limits.cellFramesPerSecond;
    this.#bytes = limits.cellBytesPerSecond;
    this.#lastMs = clock.now();
  }

  /** What the cell may send from now on. */
  limit(limits: RationLimits): void {
    this.#limits = limits;
    this.#frames = limits.cellFramesPerSecond;
    this.#bytes = limits.cellBytesPerSecond;
  }

  /** One frame has come. A promise where the next must wait. */
  charge(headerBytes: number, bodyBytes: number): Promise<void> | undefined {
    this.#sliceFrames += 1;
    this.#sliceBytes += headerBytes + bodyBytes;
    this.#work += 1 + (headerBytes >>> HEADER_SHIFT) + (bodyBytes >>> BODY_SHIFT);
    return this.#work < SLICE_WORK ? undefined : this.#pause();
  }

  #pause(): Promise<void> {
    const { cellFramesPerSecond, cellBytesPerSecond } = this.#limits;
    const now = this.#clock.now();
    const seconds = (now - this.#lastMs) / 1000;
    this.#lastMs = now;
    this.#frames = left(this.#frames, seconds, cellFramesPerSecond) - this.#sliceFrames;
    this.#bytes = left(this.#bytes, seconds, cellBytesPerSecond) - this.#sliceBytes;
    this.#work = 0;
    this.#sliceFrames = 0;
    this.#sliceBytes = 0;
    const debt = Math.max(-this.#frames / cellFramesPerSecond, -this.#bytes / cellBytesPerSecond);
    return new Promise((resolve) => this.#clock.later(Math.max(0, debt * 1000), resolve));
  }
}

/** What there is after that time; no more than for one second is saved up. */
function left(before: number, seconds: number, perSecond: number): number {
  return Math.min(before + seconds * perSecond, perSecond);
}

const defaults: RationLimits = {
  cellFramesPerSecond: limitTable.cellFramesPerSecond.value,
  cellBytesPerSecond: limitTable.cellBytesPerSecond.value,
};

const hostClock: RationClock = {
  now: () => performance.now(),
  later(delayMs, callback) {
    if (delayMs < 1) setImmediate(callback);
    else setTimeout(callback, delayMs);
  },
};
