/** What differs between two files, line by line, as GNU diff finds it. */
import type { Sys } from "../../../kernel/index.ts";
import { MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";
import { SequenceComparison } from "./compare-sequences.ts";
import { chooseDiscards } from "./discard-lines.ts";
import { LineClasses, type LineRules } from "./line-classes.ts";
import { type MarkedLines, shiftBoundaries } from "./shift-boundaries.ts";
import type { TextLines } from "./text-lines.ts";

/** `deleted` lines of the first file from `line0` on stand where the second has `inserted` from `line1` on. */
export interface Change {
  readonly line0: number;
  readonly line1: number;
  readonly deleted: number;
  readonly inserted: number;
}

export interface FindOptions extends LineRules {
  readonly isMinimal: boolean;
  /** Lines around the changed part that hunks may slide into. */
  readonly horizon: number;
  /** A last line without a newline is never equal to one with it. */
  readonly separatesCut: boolean;
}

/** Bytes held for each line that is compared. */
const LINE_COST = 40;

export async function findChanges(
  sys: Sys,
  a: TextLines,
  b: TextLines,
  options: FindOptions,
): Promise<Change[]> {
  const { prefix, suffix } = findEnds(a, b, options.horizon);
  const ends = [a.count - suffix, b.count - suffix] as const;
  if ((ends[0] + ends[1] - 2 * prefix) * LINE_COST > MEMORY_LIMIT * 2) throw new MemoryLimitError();
  const classes = new LineClasses(options);
  const files = [
    marked(classes.add({ lines: a, start: prefix, end: ends[0] }, options.separatesCut)),
    marked(classes.add({ lines: b, start: prefix, end: ends[1] }, options.separatesCut)),
  ] as const;
  await markChanged(sys, files, classes.count, options.isMinimal);
  await shiftBoundaries(sys, files[0], files[1]);
  await shiftBoundaries(sys, files[1], files[0]);
  return listChanges(files[0], files[1], prefix);
}

function marked(classes: Int32Array): MarkedLines {
  return { classes, changed: new Uint8Array(classes.length + 2) };
}

async function markChanged(
  sys: Sys,
  [a, b]: readonly [MarkedLines, MarkedLines],
  classCount: number,
  isMinimal: boolean,
): Promise<void> {
  const countsA = countClasses(a.classes, classCount);
  const countsB = countClasses(b.classes, classCount);
  const kept = [
    keepLines(a, isMinimal ? undefined : chooseDiscards(a.classes, countsB)),
    keepLines(b, isMinimal ? undefined : chooseDiscards(b.classes, countsA)),
  ] as const;
  const differences = {
    removed: (x: number) => {
      a.changed[(kept[0].places[x] ?? 0) + 1] = 1;
    },
    added: (y: number) => {
      b.changed[(kept[1].places[y] ?? 0) + 1] = 1;
    },
  };
  const comparison = new SequenceComparison(sys, kept[0].classes, kept[1].classes, differences);
  await comparison.compare(isMinimal);
}

function countClasses(classes: Int32Array, count: number): Int32Array {
  const counts = new Int32Array(count);
  for (const one of classes) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

/** Lines that stay, each with its place; those that do not are marked as changed. */
function keepLines(
  { classes, changed }: MarkedLines,
  discards: Uint8Array | undefined,
): { readonly classes: Int32Array; readonly places: Int32Array } {
  const kept = new Int32Array(classes.length);
  const places = new Int32Array(classes.length);
  let count = 0;
  for (let at = 0; at < classes.length; at++) {
    if (discards !== undefined && discards[at] !== 0) changed[at + 1] = 1;
    else {
      kept[count] = classes[at] ?? 0;
      places[count] = at;
      count += 1;
    }
  }
  return { classes: kept.subarray(0, count), places };
}

/** How many lines at the beginning and at the end need no comparing. */
function findEnds(
  a: TextLines,
  b: TextLines,
  horizon: number,
): { readonly prefix: number; readonly suffix: number } {
  const most = Math.min(a.bytes.length, b.bytes.length);
  let same = 0;
  while (same < most && a.bytes[same] === b.bytes[same]) same += 1;
  const prefix = countWhole(a, same);
  const start = a.start(prefix);
  if (a.isCut !== b.isCut) return { prefix: Math.max(0, prefix - horizon), suffix: 0 };
  let [endA, endB] = [a.bytes.length, b.bytes.length];
  while (endA > start && endB > start && a.bytes[endA - 1] === b.bytes[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const firstA = lineFrom(a, endA);
  const firstB = lineFrom(b, endB);
  const suffix = Math.max(0, Math.min(a.count - firstA, b.count - firstB) - horizon);
  return { prefix: Math.max(0, prefix - horizon), suffix };
}

/** Lines that end, newline included, within the first bytes. */
function countWhole(lines: TextLines, length: number): number {
  const line = lineFrom(lines, length + 1) - 1;
  const isAtEnd = lines.start(line) === lines.bytes.length;
  return isAtEnd && lines.isCut ? line - 1 : line;
}

/** The first line that starts at this byte or behind it. */
function lineFrom(lines: TextLines, place: number): number {
  let low = 0;
  let high = lines.count + 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines.start(middle) >= place) high = middle;
    else low = middle + 1;
  }
  return low;
}

function listChanges(a: MarkedLines, b: MarkedLines, prefix: number): Change[] {
  const changes: Change[] = [];
  let [at0, at1] = [0, 0];
  while (at0 < a.classes.length || at1 < b.classes.length) {
    const [line0, line1] = [at0, at1];
    while (a.changed[at0 + 1] === 1) at0 += 1;
    while (b.changed[at1 + 1] === 1) at1 += 1;
    if (at0 > line0 || at1 > line1)
      changes.push({
        line0: line0 + prefix,
        line1: line1 + prefix,
        deleted: at0 - line0,
        inserted: at1 - line1,
      });
    at0 += 1;
    at1 += 1;
  }
  return changes;
}
