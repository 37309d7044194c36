/** Myers' O(ND) comparison of two sequences, from both ends, with GNU's bound on what it may cost. */
import type { Sys } from "../../../kernel/index.ts";

/** Told what only one side has. */
export interface Differences {
  removed(x: number): void;
  added(y: number): void;
}

/** GNU's: a search gives up being minimal at this many edits, or the root of the input. */
const LEAST_EXPENSIVE = 4096;
/** Diagonals walked between two yields: some milliseconds. */
const YIELD_STEPS = 400_000;

interface Box {
  readonly xStart: number;
  readonly xEnd: number;
  readonly yStart: number;
  readonly yEnd: number;
  readonly isMinimal: boolean;
}

interface Middle {
  readonly x: number;
  readonly y: number;
  readonly isLowMinimal: boolean;
  readonly isHighMinimal: boolean;
}

/** Diagonals a search has reached so far. */
interface Reach {
  low: number;
  high: number;
}

export class SequenceComparison {
  readonly #sys: Sys;
  readonly #xs: Int32Array;
  readonly #ys: Int32Array;
  readonly #differences: Differences;
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  /** Added to a diagonal, which may be below 0. */
  readonly #base: number;
  readonly #tooExpensive: number;
  #steps = 0;

  constructor(sys: Sys, xs: Int32Array, ys: Int32Array, differences: Differences) {
    this.#sys = sys;
    this.#xs = xs;
    this.#ys = ys;
    this.#differences = differences;
    const diagonals = xs.length + ys.length + 3;
    this.#base = ys.length + 1;
    this.#forward = new Int32Array(diagonals);
    this.#backward = new Int32Array(diagonals);
    let root = 1;
    for (let rest = diagonals; rest !== 0; rest >>= 2) root <<= 1;
    this.#tooExpensive = Math.max(LEAST_EXPENSIVE, root);
  }

  async compare(isMinimal: boolean): Promise<void> {
    const whole = { xStart: 0, xEnd: this.#xs.length, yStart: 0, yEnd: this.#ys.length, isMinimal };
    const boxes: Box[] = [whole];
    for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
      const inner = this.#trim(box);
      const { xStart, xEnd, yStart, yEnd } = inner;
      if (xStart === xEnd) for (let y = yStart; y < yEnd; y++) this.#differences.added(y);
      else if (yStart === yEnd) for (let x = xStart; x < xEnd; x++) this.#differences.removed(x);
      else {
        const { x, y, isLowMinimal, isHighMinimal } = await this.#findMiddle(inner);
        boxes.push({ ...inner, xStart: x, yStart: y, isMinimal: isHighMinimal });
        boxes.push({ ...inner, xEnd: x, yEnd: y, isMinimal: isLowMinimal });
      }
    }
  }

  #trim({ xStart, xEnd, yStart, yEnd, isMinimal }: Box): Box {
    const xs = this.#xs;
    const ys = this.#ys;
    let [left, right, top, bottom] = [xStart, xEnd, yStart, yEnd];
    while (left < right && top < bottom && xs[left] === ys[top]) {
      left += 1;
      top += 1;
    }
    while (left < right && top < bottom && xs[right - 1] === ys[bottom - 1]) {
      right -= 1;
      bottom -= 1;
    }
    return { xStart: left, xEnd: right, yStart: top, yEnd: bottom, isMinimal };
  }

  async #findMiddle(box: Box): Promise<Middle> {
    const { xStart, xEnd, yStart, yEnd } = box;
    const forward: Reach = { low: xStart - yStart, high: xStart - yStart };
    const backward: Reach = { low: xEnd - yEnd, high: xEnd - yEnd };
    const isOdd = ((forward.low - backward.low) & 1) !== 0;
    this.#forward[this.#base + forward.low] = xStart;
    this.#backward[this.#base + backward.low] = xEnd;
    for (let cost = 1; ; cost++) {
      const met =
        this.#stepForward(box, forward, isOdd ? backward : undefined) ??
        this.#stepBackward(box, backward, isOdd ? undefined : forward);
      if (met !== undefined) return { ...met, isLowMinimal: true, isHighMinimal: true };
      this.#steps += forward.high - forward.low + 16;
      if (this.#steps > YIELD_STEPS) {
        this.#steps = 0;
        await this.#sys.schedYield();
      }
      if (!box.isMinimal && cost >= this.#tooExpensive) return this.#giveUp(box, forward, backward);
    }
  }

  #stepForward(
    { xStart, xEnd, yStart, yEnd }: Box,
    reach: Reach,
    other: Reach | undefined,
  ): { readonly x: number; readonly y: number } | undefined {
    const [xs, ys, found, base] = [this.#xs, this.#ys, this.#forward, this.#base];
    if (reach.low > xStart - yEnd) found[base + --reach.low - 1] = -1;
    else reach.low += 1;
    if (reach.high < xEnd - yStart) found[base + ++reach.high + 1] = -1;
    else reach.high -= 1;
    for (let diagonal = reach.high; diagonal >= reach.low; diagonal -= 2) {
      const below = found[base + diagonal - 1] ?? 0;
      const above = found[base + diagonal + 1] ?? 0;
      let x = below < above ? above : below + 1;
      let y = x - diagonal;
      while (x < xEnd && y < yEnd && xs[x] === ys[y]) {
        x += 1;
        y += 1;
      }
      found[base + diagonal] = x;
      if (
        other !== undefined &&
        other.low <= diagonal &&
        diagonal <= other.high &&
        (this.#backward[base + diagonal] ?? 0) <= x
      )
        return { x, y };
    }
    return undefined;
  }

  #stepBackward(
    { xStart, xEnd, yStart, yEnd }: Box,
    reach: Reach,
    other: Reach | undefined,
  ): { readonly x: number; readonly y: number } | undefined {
    const [xs, ys, found, base] = [this.#xs, this.#ys, this.#backward, this.#base];
    if (reach.low > xStart - yEnd) found[base + --reach.low - 1] = 0x7fffffff;
    else reach.low += 1;
    if (reach.high < xEnd - yStart) found[base + ++reach.high + 1] = 0x7fffffff;
    else reach.high -= 1;
    for (let diagonal = reach.high; diagonal >= reach.low; diagonal -= 2) {
      const below = found[base + diagonal - 1] ?? 0;
      const above = found[base + diagonal + 1] ?? 0;
      let x = below < above ? below : above - 1;
      let y = x - diagonal;
      while (xStart < x && yStart < y && xs[x - 1] === ys[y - 1]) {
        x -= 1;
        y -= 1;
      }
      found[base + diagonal] = x;
      if (
        other !== undefined &&
        other.low <= diagonal &&
        diagonal <= other.high &&
        x <= (this.#forward[base + diagonal] ?? 0)
      )
        return { x, y };
    }
    return undefined;
  }

  /** The best place either search has come to; the half it comes from is as small as can be. */
  #giveUp({ xStart, xEnd, yStart, yEnd }: Box, forward: Reach, backward: Reach): Middle {
    let ahead = { x: 0, sum: -1 };
    for (let diagonal = forward.high; diagonal >= forward.low; diagonal -= 2) {
      let x = Math.min(this.#forward[this.#base + diagonal] ?? 0, xEnd);
      if (x - diagonal > yEnd) x = yEnd + diagonal;
      const sum = x + x - diagonal;
      if (ahead.sum < sum) ahead = { x, sum };
    }
    let behind = { x: 0, sum: Number.POSITIVE_INFINITY };
    for (let diagonal = backward.high; diagonal >= backward.low; diagonal -= 2) {
      let x = Math.max(xStart, this.#backward[this.#base + diagonal] ?? 0);
      if (x - diagonal < yStart) x = yStart + diagonal;
      const sum = x + x - diagonal;
      if (sum < behind.sum) behind = { x, sum };
    }
    const isAhead = xEnd + yEnd - behind.sum < ahead.sum - (xStart + yStart);
    const { x, sum } = isAhead ? ahead : behind;
    return { x, y: sum - x, isLowMinimal: isAhead, isHighMinimal: !isAhead };
  }
}
