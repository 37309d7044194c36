/** How sort compares lines: each becomes a row of values once, then rows compare quickly. */
import { compareVersions } from "./compare-versions.ts";
import { extractKey, leadingBlanks, type SortKey } from "./sort-keys.ts";

export interface SortOrder {
  readonly keys: readonly SortKey[];
  /** The ordering options of the command line. */
  readonly letters: string;
  readonly separator: string | undefined;
  /** No comparison of whole lines where the keys are equal. */
  readonly isStable: boolean;
  readonly isUnique: boolean;
}

type KeyValue = string | number | bigint;

export interface SortRow {
  readonly line: string;
  readonly values: readonly KeyValue[];
}

/** Whether lines compare by their bytes alone, so that rows are not needed. */
export function isPlainOrder({ keys, letters }: SortOrder): boolean {
  return keys.length === 0 && letters === "";
}

/** What a line is compared by. */
export function makeRows(order: SortOrder): (line: string) => SortRow {
  const { keys, letters, separator } = order;
  if (keys.length === 0) {
    const evaluate = valueOf(letters);
    const isTrimmed = letters.includes("b");
    return (line) => ({
      line,
      values: evaluate(isTrimmed ? line.slice(leadingBlanks(line, 0)) : line),
    });
  }
  const evaluations = keys.map((key) => ({ key, evaluate: valueOf(key.letters) }));
  return (line) => ({
    line,
    values: evaluations.flatMap(({ key, evaluate }) => evaluate(extractKey(line, key, separator))),
  });
}

export function compareRows(order: SortOrder): (a: SortRow, b: SortRow) => number {
  const { keys, letters, isStable } = order;
  const steps = (keys.length === 0 ? [letters] : keys.map((key) => key.letters)).flatMap(
    comparisonsOf,
  );
  const lastSign = letters.includes("r") ? -1 : 1;
  return (a, b) => {
    for (const [at, { sign, isVersion }] of steps.entries()) {
      const difference = compareValues(a.values[at] ?? "", b.values[at] ?? "", isVersion);
      if (difference !== 0) return sign * difference;
    }
    return isStable ? 0 : lastSign * compareValues(a.line, b.line, false);
  };
}

function compareValues(a: KeyValue, b: KeyValue, isVersion: boolean): number {
  if (isVersion) return compareVersions(String(a), String(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Step {
  readonly sign: 1 | -1;
  readonly isVersion: boolean;
}

/** One for each value that `valueOf` makes of the same letters. */
function comparisonsOf(letters: string): Step[] {
  const step: Step = { sign: letters.includes("r") ? -1 : 1, isVersion: false };
  if (letters.includes("n")) return [step];
  if (letters.includes("h") || letters.includes("g")) return [step, step];
  if (letters.includes("M")) return [step];
  if (letters.includes("V")) return [{ ...step, isVersion: true }];
  return letters.includes("R") ? [step, step] : [step];
}

function valueOf(letters: string): (text: string) => KeyValue[] {
  if (letters.includes("n")) return (text) => [numericValue(text)];
  if (letters.includes("h")) return (text) => [humanOrder(text), numericValue(text)];
  if (letters.includes("g")) return generalValue;
  if (letters.includes("M")) return (text) => [monthOrder(text)];
  if (letters.includes("V")) return (text) => [text];
  if (letters.includes("R")) return (text) => [hashText(text), text];
  if (!/[fdi]/.test(letters)) return (text) => [text];
  return (text) => [normalize(text, letters)];
}

function normalize(text: string, letters: string): string {
  const kept = letters.includes("d") ? text.replace(/[^\p{L}\p{N} \t]/gu, "") : text;
  // oxlint-disable-next-line no-control-regex -- what does not print is what is left out
  const printing = letters.includes("i") ? kept.replace(/[\x00-\x1f\x7f]/g, "") : kept;
  return letters.includes("f") ? printing.toUpperCase() : printing;
}

/** The number a text starts with, 0 without one; exact where a double is not. */
function numericValue(text: string): number | bigint {
  const match = /^[ \t]*(-?\d*(?:\.\d*)?)/.exec(text)?.[1] ?? "";
  const value = Number(match);
  if (Number.isSafeInteger(Math.trunc(value))) return value;
  const whole = /^-?\d+/.exec(match)?.[0];
  return whole === undefined ? 0 : BigInt(whole);
}

/** What is no number comes before all numbers. */
function generalValue(text: string): KeyValue[] {
  const match = /^\s*([-+]?(?:inf(?:inity)?|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?))/i.exec(text)?.[1];
  if (match === undefined) return [0, 0];
  if (!/inf/i.test(match)) return [1, Number(match)];
  return [1, match.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY];
}

function humanOrder(text: string): number {
  const match = /^[ \t]*(-?)\d*\.?\d*([KkMGTPEZY]?)/.exec(text);
  const order = " KMGTPEZY".indexOf((match?.[2] || " ").toUpperCase());
  return match?.[1] === "-" ? -order : order;
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

function monthOrder(text: string): number {
  return months.indexOf(text.trimStart().slice(0, 3).toUpperCase());
}

/** FNV-1a: scatters keys, equal ones together. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash;
}
