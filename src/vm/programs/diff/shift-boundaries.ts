import type { Sys } from "../../../kernel/index.ts";

/** Lines looked at between two yields. */
const YIELD_STEPS = 1_000_000;

/** One file of a comparison: its lines' classes, and which are changed, each at its place plus one. */
export interface MarkedLines {
  readonly classes: Int32Array;
  /** Its first and last place are no lines and stay 0. */
  readonly changed: Uint8Array;
}

/**
 * Slides runs of changed lines down as far as they go, or back to where the other file changes, too,
 * joining those that meet. The result says the same; its hunks are the ones people expect.
 */
export async function shiftBoundaries(
  sys: Sys,
  file: MarkedLines,
  other: MarkedLines,
): Promise<void> {
  const shift = new BoundaryShift(file, other.changed);
  while (shift.next()) {
    if (shift.steps < YIELD_STEPS) continue;
    shift.steps = 0;
    await sys.schedYield();
  }
}

class BoundaryShift {
  readonly #classes: Int32Array;
  readonly #changed: Uint8Array;
  readonly #other: Uint8Array;
  readonly #end: number;
  steps = 0;
  /** The run is [start, at); `across` is the place in the other file. */
  #start = 0;
  #at = 0;
  #across = 0;

  constructor({ classes, changed }: MarkedLines, other: Uint8Array) {
    this.#classes = classes;
    this.#changed = changed;
    this.#other = other;
    this.#end = classes.length;
  }

  /** Settles the next run; false when there is none. */
  next(): boolean {
    while (this.#at < this.#end && !this.#isChanged(this.#at)) {
      while (this.#isOther(this.#across++)) this.steps += 1;
      this.#at += 1;
      this.steps += 1;
    }
    if (this.#at === this.#end) return false;
    this.#start = this.#at;
    do this.#at += 1;
    while (this.#isChanged(this.#at));
    while (this.#isOther(this.#across)) this.#across += 1;
    let length: number;
    let corresponding: number;
    do {
      length = this.#at - this.#start;
      this.#moveBack();
      corresponding = this.#moveForward();
    } while (length !== this.#at - this.#start);
    while (corresponding < this.#at) this.#stepBack();
    return true;
  }

  #moveBack(): void {
    const classes = this.#classes;
    while (this.#start > 0 && classes[this.#start - 1] === classes[this.#at - 1]) {
      this.#stepBack();
      while (this.#isChanged(this.#start - 1)) this.#start -= 1;
    }
  }

  #stepBack(): void {
    this.#mark(--this.#start, 1);
    this.#mark(--this.#at, 0);
    do this.#across -= 1;
    while (this.#isOther(this.#across));
    this.steps += 1;
  }

  /** Answers the last place where the run met a change of the other file, or the end. */
  #moveForward(): number {
    const classes = this.#classes;
    let corresponding = this.#isOther(this.#across - 1) ? this.#at : this.#end;
    while (this.#at !== this.#end && classes[this.#start] === classes[this.#at]) {
      this.#mark(this.#start++, 0);
      this.#mark(this.#at++, 1);
      while (this.#isChanged(this.#at)) this.#at += 1;
      this.#across += 1;
      for (; this.#isOther(this.#across); this.#across++) corresponding = this.#at;
      this.steps += 1;
    }
    return corresponding;
  }

  #isChanged(line: number): boolean {
    return this.#changed[line + 1] === 1;
  }

  #isOther(line: number): boolean {
    return this.#other[line + 1] === 1;
  }

  #mark(line: number, value: 0 | 1): void {
    this.#changed[line + 1] = value;
  }
}
