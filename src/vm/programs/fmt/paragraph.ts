/** Where the lines of a paragraph break: the cheapest way over all of them, as GNU's fmt counts. */

export interface Word {
  readonly bytes: Uint8Array;
  /** Columns behind it. */
  space: number;
  readonly isParen: boolean;
  readonly isPunct: boolean;
  isPeriod: boolean;
  isFinal: boolean;
}

export interface Measure {
  readonly width: number;
  readonly goal: number;
  readonly firstIndent: number;
  readonly otherIndent: number;
  /** Of the line before the paragraph's rest, or 0. */
  readonly lastLength: number;
}

function square(value: number): number {
  return value * value;
}

function shortCost(columns: number): number {
  return square(columns * 10);
}

/** For each word: where the line that starts with it ends, and what all from there on costs. */
export interface Breaks {
  readonly next: Int32Array;
  readonly cost: Float64Array;
}

export function findBreaks(words: readonly Word[], measure: Measure): Breaks {
  const count = words.length;
  const next = new Int32Array(count + 1).fill(count);
  const cost = new Float64Array(count + 1);
  const lineLength = new Int32Array(count + 1);
  for (let start = count - 1; start >= 0; start--) {
    let best = Number.POSITIVE_INFINITY;
    let length = start === 0 ? measure.firstIndent : measure.otherIndent;
    length += words[start]?.bytes.length ?? 0;
    for (let end = start + 1; ; end++) {
      let price =
        (cost[end] ?? 0) + lineCost(end, length, { count, next, lineLength }, measure.goal);
      if (start === 0 && measure.lastLength > 0)
        price += shortCost(length - measure.lastLength) / 2;
      if (price < best) {
        best = price;
        next[start] = end;
        lineLength[start] = length;
      }
      if (end === count) break;
      length += (words[end - 1]?.space ?? 0) + (words[end]?.bytes.length ?? 0);
      if (length >= measure.width) break;
    }
    cost[start] = best + baseCost(words, start);
  }
  return { next, cost };
}

interface Known {
  readonly count: number;
  readonly next: Int32Array;
  readonly lineLength: Int32Array;
}

/** Of a line of a length before a word. */
function lineCost(end: number, length: number, known: Known, goal: number): number {
  if (end === known.count) return 0;
  let cost = shortCost(goal - length);
  if (known.next[end] !== known.count) cost += shortCost(length - (known.lineLength[end] ?? 0)) / 2;
  return cost;
}

/** Of starting a line with a word. */
function baseCost(words: readonly Word[], at: number): number {
  let cost = square(70);
  const before = words[at - 1];
  const word = words[at];
  if (before !== undefined) {
    if (before.isPeriod) cost += before.isFinal ? -square(50) : square(600);
    else if (before.isPunct) cost -= square(40);
    else if (words[at - 2]?.isFinal === true)
      cost += Math.trunc(square(200) / (before.bytes.length + 2));
  }
  if (word?.isParen === true) cost -= square(40);
  else if (word?.isFinal === true) cost += Math.trunc(square(150) / (word.bytes.length + 2));
  return cost;
}

/** Where a paragraph that is too long to hold is best cut. */
export function findCut({ next, cost }: Breaks, count: number): number {
  let cut = count;
  let best = Number.POSITIVE_INFINITY;
  for (let at = next[0] ?? count; at < count; at = next[at] ?? count) {
    const price = (cost[at] ?? 0) - (cost[next[at] ?? count] ?? 0);
    if (price < best) {
      cut = at;
      best = price;
    }
    best += square(3);
  }
  return cut;
}

const open = new Set(Array.from("(['`\"", (letter) => letter.charCodeAt(0)));
const close = new Set(Array.from(")]'\"", (letter) => letter.charCodeAt(0)));
const period = new Set(Array.from(".?!", (letter) => letter.charCodeAt(0)));

export function makeWord(bytes: Uint8Array): Word {
  let end = bytes.length - 1;
  const last = bytes[end] ?? 0;
  const isPunct =
    (last > 32 && last < 48) ||
    (last > 57 && last < 65) ||
    (last > 90 && last < 97) ||
    (last > 122 && last < 127);
  while (end > 0 && close.has(bytes[end] ?? 0)) end -= 1;
  return {
    bytes,
    space: 0,
    isParen: open.has(bytes[0] ?? 0),
    isPunct,
    isPeriod: period.has(bytes[end] ?? 0),
    isFinal: false,
  };
}
