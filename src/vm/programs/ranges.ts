/** `1,3-5,7-`: from 1, both ends counted; the last may be open. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A list that is none, and what is wrong with it. */
export interface RangeProblem {
  readonly problem: "zero" | "decreasing" | "endless" | "dashes" | "large" | "value";
  /** The part it is about. */
  readonly text: string;
}

/** Sorted and merged, or their complement. */
export function parseRanges(text: string, isComplement: boolean): Range[] | RangeProblem {
  const ranges: Range[] = [];
  for (const item of text.split(/[, \t]/)) {
    const range = parseRange(item);
    if ("problem" in range) {
      const rest = range.problem === "value" ? text.slice(text.indexOf(range.text)) : range.text;
      return { ...range, text: rest };
    }
    ranges.push(range);
  }
  const merged = mergeRanges(ranges);
  return isComplement ? complementOf(merged) : merged;
}

function parseRange(item: string): Range | RangeProblem {
  const [, first = "", dash = "", last = "", rest = ""] = /^(\d*)(-?)(\d*)([^]*)$/.exec(item) ?? [];
  if (rest.startsWith("-")) return { problem: "dashes", text: item };
  if (rest !== "") return { problem: "value", text: rest };
  const large = [first, last].find((number) => Number(number) > Number.MAX_SAFE_INTEGER);
  if (large !== undefined) return { problem: "large", text: large };
  if (item === "-") return { problem: "endless", text: item };
  const from = first === "" && dash !== "" ? 1 : Number(first);
  const to = dash === "" ? from : last === "" ? Number.POSITIVE_INFINITY : Number(last);
  if (from === 0) return { problem: "zero", text: item };
  return to < from ? { problem: "decreasing", text: item } : { from, to };
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
