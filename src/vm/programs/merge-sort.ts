import type { Sys } from "../../kernel/index.ts";

/** Items sorted, or merged, between two yields: a few milliseconds of work. */
const RUN_ITEMS = 16_384;

/** A stable sort that lets other processes run in between. */
export async function mergeSort<T>(
  sys: Sys,
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<readonly T[]> {
  if (items.length <= RUN_ITEMS) return items.toSorted(compare);
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += RUN_ITEMS) {
    runs.push(items.slice(at, at + RUN_ITEMS).toSorted(compare));
    await sys.schedYield();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const left = runs[at] ?? [];
      const right = runs[at + 1];
      merged.push(right === undefined ? left : await merge(sys, left, right, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  sys: Sys,
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<readonly T[]> {
  const merged: T[] = [];
  let one = 0;
  let two = 0;
  for (;;) {
    if (merged.length % RUN_ITEMS === RUN_ITEMS - 1) await sys.schedYield();
    const a = left[one];
    const b = right[two];
    if (a === undefined) return merged.concat(right.slice(two));
    if (b === undefined) return merged.concat(left.slice(one));
    if (compare(a, b) <= 0) {
      merged.push(a);
      one += 1;
    } else {
      merged.push(b);
      two += 1;
    }
  }
}
