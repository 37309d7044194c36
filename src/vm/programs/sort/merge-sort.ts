import type { Sys } from "../../../kernel/index.ts";

/** Items sorted, or merged, between two yields: a few milliseconds of work. */
const RUN_ITEMS = 16_384;

/** The numbers 0 to `count` in order, equal ones as they are. Lets other processes run in between. */
export async function mergeSort(
  sys: Sys,
  count: number,
  compare: (a: number, b: number) => number,
): Promise<Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, at) => at);
  for (let at = 0; at < count; at += RUN_ITEMS) {
    from.subarray(at, at + RUN_ITEMS).sort((a, b) => compare(a, b) || a - b);
    await sys.schedYield();
  }
  if (count <= RUN_ITEMS) return from;
  let into = new Uint32Array(count);
  for (let size = RUN_ITEMS; size < count; size *= 2) {
    for (let start = 0; start < count; start += size * 2) {
      const middle = Math.min(start + size, count);
      await merge(sys, { from, into, start, middle, end: Math.min(middle + size, count) }, compare);
    }
    [from, into] = [into, from];
  }
  return from;
}

interface Merge {
  readonly from: Uint32Array;
  readonly into: Uint32Array;
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

async function merge(
  sys: Sys,
  { from, into, start, middle, end }: Merge,
  compare: (a: number, b: number) => number,
): Promise<void> {
  let one = start;
  let two = middle;
  for (let at = start; at < end; at++) {
    if (at % RUN_ITEMS === 0) await sys.schedYield();
    const isFirst = two >= end || (one < middle && compare(from[one] ?? 0, from[two] ?? 0) <= 0);
    into[at] = (isFirst ? from[one++] : from[two++]) ?? 0;
  }
}

/** The numbers 0 to the last of `ends`, runs that end there merged as they are: none is sorted. */
export async function mergeRuns(
  sys: Sys,
  ends: readonly number[],
  compare: (a: number, b: number) => number,
): Promise<Uint32Array> {
  const count = ends.at(-1) ?? 0;
  let from = Uint32Array.from({ length: count }, (_, at) => at);
  let into = new Uint32Array(count);
  let bounds = [0, ...ends];
  while (bounds.length > 2) {
    const next = [0];
    for (let at = 0; at + 1 < bounds.length; at += 2) {
      const [start = 0, middle = count, end = middle] = bounds.slice(at, at + 3);
      await merge(sys, { from, into, start, middle, end }, compare);
      next.push(end);
    }
    bounds = next;
    [from, into] = [into, from];
  }
  return from;
}
