/** `1,3-5,7-`: from 1, both ends counted; the last may be open. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Sorted and merged, or their complement; a word for what is wrong with them. */
export function parseRanges(
  text: string,
  isComplement: boolean,
): Range[] | "zero" | "decreasing" | "invalid" {
  const ranges: Range[] = [];
  for (const item of text.split(/[,\s]+/)) {
    const match = /^(\d*)(-?)(\d*)$/.exec(item);
    if (match === null || item === "" || item === "-") return "invalid";
    const [, first = "", dash = "", last = ""] = match;
    const from = first === "" ? 1 : Number(first);
    const to = dash === "" ? from : last === "" ? Number.POSITIVE_INFINITY : Number(last);
    if (from === 0 || to === 0) return "zero";
    if (to < from) return "decreasing";
    ranges.push({ from, to });
  }
  const merged = mergeRanges(ranges);
  return isComplement ? complementOf(merged) : merged;
}

function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && range.from <= last.to)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else merged.push(range);
  }
  return merged;
}

function complementOf(ranges: readonly Range[]): Range[] {
  const others: Range[] = [];
  let next = 1;
  for (const { from, to } of ranges) {
    if (from > next) others.push({ from: next, to: from - 1 });
    next = to + 1;
  }
  if (Number.isFinite(next)) others.push({ from: next, to: Number.POSITIVE_INFINITY });
  return others;
}
