import type { Sys } from "../../kernel/index.ts";

/** Lines sorted, or merged, between two yields: a few milliseconds of work. */
const RUN_LINES = 16_384;

/** A stable sort that lets other processes run in between. */
export async function mergeSort(
  sys: Sys,
  lines: readonly string[],
  compare: (a: string, b: string) => number,
): Promise<readonly string[]> {
  if (lines.length <= RUN_LINES) return lines.toSorted(compare);
  let runs: (readonly string[])[] = [];
  for (let at = 0; at < lines.length; at += RUN_LINES) {
    runs.push(lines.slice(at, at + RUN_LINES).toSorted(compare));
    await sys.schedYield();
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const left = runs[at] ?? [];
      const right = runs[at + 1];
      merged.push(right === undefined ? left : await merge(sys, left, right, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(
  sys: Sys,
  left: readonly string[],
  right: readonly string[],
  compare: (a: string, b: string) => number,
): Promise<readonly string[]> {
  const merged = new Array<string>(left.length + right.length);
  let one = 0;
  let two = 0;
  for (let at = 0; at < merged.length; at++) {
    if (at % RUN_LINES === RUN_LINES - 1) await sys.schedYield();
    const a = left[one];
    const b = right[two];
    if (b === undefined || (a !== undefined && compare(a, b) <= 0)) {
      merged[at] = a ?? "";
      one += 1;
    } else {
      merged[at] = b;
      two += 1;
    }
  }
  return merged;
}
