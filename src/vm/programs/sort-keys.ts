/** sort's keys: where in a line they are, and how two of them compare. */
import { compareVersions } from "./compare-versions.ts";

export interface SortKey {
  readonly start: Position;
  readonly end: Position | undefined;
  /** Ordering options, its own or the command line's. */
  readonly letters: string;
}

interface Position {
  /** From 1. */
  readonly field: number;
  /** From 1; 0 in an end is the field's last. */
  readonly character: number;
  readonly skipsBlanks: boolean;
}

export interface SortOrder {
  readonly keys: readonly SortKey[];
  readonly letters: string;
  readonly separator: string | undefined;
  /** No comparison of whole lines where the keys are equal. */
  readonly isStable: boolean;
  readonly isUnique: boolean;
}

/** `F[.C][OPTS][,F[.C][OPTS]]`; a string is what is wrong with it. */
export function parseKey(text: string, letters: string): SortKey | string {
  const match = /^(\d+)(?:\.(\d+))?([bdfgiMhnRrV]*)(?:,(\d+)(?:\.(\d+))?([bdfgiMhnRrV]*))?$/.exec(
    text,
  );
  if (match === null) return `invalid field specification '${text}'`;
  const [
    ,
    field = "",
    character = "1",
    options = "",
    endField,
    endCharacter = "0",
    endOptions = "",
  ] = match;
  if (Number(field) === 0) return `field number is zero: invalid field specification '${text}'`;
  if (Number(character) === 0)
    return `character offset is zero: invalid field specification '${text}'`;
  const own = options + endOptions;
  const effective = own === "" ? letters : own;
  return {
    start: {
      field: Number(field),
      character: Number(character),
      skipsBlanks: (own === "" ? letters : options).includes("b"),
    },
    end:
      endField === undefined
        ? undefined
        : {
            field: Number(endField),
            character: Number(endCharacter),
            skipsBlanks: (own === "" ? letters : endOptions).includes("b"),
          },
    letters: effective,
  };
}

type Comparison = (a: string, b: string) => number;

export function makeComparison(order: SortOrder): Comparison {
  const { keys, letters, isStable } = order;
  const isReversed = letters.includes("r");
  const lastResort: Comparison = isReversed ? (a, b) => compareText(b, a) : compareText;
  if (keys.length === 0 && /^r*$/.test(letters)) return lastResort;
  const parts =
    keys.length === 0 ? [wholeLine(letters)] : keys.map((key) => keyComparison(key, order));
  return (a, b) => {
    for (const part of parts) {
      const difference = part(a, b);
      if (difference !== 0) return difference;
    }
    return isStable ? 0 : lastResort(a, b);
  };
}

function wholeLine(letters: string): Comparison {
  const compare = valueComparison(letters);
  const start = letters.includes("b") ? skipBlanks : (text: string) => text;
  return signed((a, b) => compare(start(a), start(b)), letters);
}

function keyComparison(key: SortKey, order: SortOrder): Comparison {
  const compare = valueComparison(key.letters);
  const extract = keyExtractor(key, order.separator);
  return signed((a, b) => compare(extract(a), extract(b)), key.letters);
}

function signed(compare: Comparison, letters: string): Comparison {
  return letters.includes("r") ? (a, b) => compare(b, a) : compare;
}

/** The last key's text is remembered: a line is compared many times in a row. */
function keyExtractor(key: SortKey, separator: string | undefined): (line: string) => string {
  const cache = new Map<string, string>();
  return (line) => {
    const found = cache.get(line);
    if (found !== undefined) return found;
    const text = extractKey(line, key, separator);
    if (cache.size > 65_536) cache.clear();
    cache.set(line, text);
    return text;
  };
}

function extractKey(line: string, { start, end }: SortKey, separator: string | undefined): string {
  const from = placeOf(line, start, separator, "start");
  const to = end === undefined ? line.length : placeOf(line, end, separator, "end");
  return to <= from ? "" : line.slice(from, to);
}

function placeOf(
  line: string,
  position: Position,
  separator: string | undefined,
  side: "start" | "end",
): number {
  const [from, to] = fieldBounds(line, position.field, separator);
  if (side === "end" && position.character === 0) return to;
  const base = position.skipsBlanks ? from + leadingBlanks(line, from) : from;
  const offset = side === "start" ? position.character - 1 : position.character;
  return Math.min(
    base + offset,
    side === "start" ? line.length : Math.max(to, base + offset),
    line.length,
  );
}

/** Without a separator a field starts with the blanks before it. */
function fieldBounds(line: string, field: number, separator: string | undefined): [number, number] {
  let at = 0;
  for (let number = 1; ; number++) {
    const end = fieldEnd(line, at, separator);
    if (number === field) return [at, end];
    if (end >= line.length) return [line.length, line.length];
    at = separator === undefined ? end : end + separator.length;
  }
}

function fieldEnd(line: string, from: number, separator: string | undefined): number {
  if (separator !== undefined) {
    const end = line.indexOf(separator, from);
    return end === -1 ? line.length : end;
  }
  let at = from + leadingBlanks(line, from);
  while (at < line.length && line[at] !== " " && line[at] !== "\t") at += 1;
  return at;
}

function leadingBlanks(line: string, from: number): number {
  let at = from;
  while (line[at] === " " || line[at] === "\t") at += 1;
  return at - from;
}

function skipBlanks(text: string): string {
  return text.slice(leadingBlanks(text, 0));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function valueComparison(letters: string): Comparison {
  if (letters.includes("n")) return (a, b) => compareNumeric(a, b);
  if (letters.includes("h")) return (a, b) => humanOrder(a) - humanOrder(b) || compareNumeric(a, b);
  if (letters.includes("g")) return compareGeneral;
  if (letters.includes("M")) return (a, b) => monthOrder(a) - monthOrder(b);
  if (letters.includes("V")) return compareVersions;
  if (letters.includes("R")) return (a, b) => hashText(a) - hashText(b) || compareText(a, b);
  if (!/[fdi]/.test(letters)) return compareText;
  return (a, b) => compareText(normalize(a, letters), normalize(b, letters));
}

function normalize(text: string, letters: string): string {
  const kept = letters.includes("d") ? text.replace(/[^\p{L}\p{N} \t]/gu, "") : text;
  // oxlint-disable-next-line no-control-regex -- what does not print is what is left out
  const printing = letters.includes("i") ? kept.replace(/[\x00-\x1f\x7f]/g, "") : kept;
  return letters.includes("f") ? printing.toUpperCase() : printing;
}

const numberPattern = /^[ \t]*(-?)(\d*)(?:\.(\d*))?/;

/** By value, digit by digit where a double could not tell. */
function compareNumeric(a: string, b: string): number {
  const left = numberPattern.exec(a);
  const right = numberPattern.exec(b);
  const one = Number(`${left?.[1] ?? ""}${left?.[2] || "0"}.${left?.[3] || "0"}`);
  const two = Number(`${right?.[1] ?? ""}${right?.[2] || "0"}.${right?.[3] || "0"}`);
  if (one !== two || Math.abs(one) < Number.MAX_SAFE_INTEGER) return one - two;
  const big =
    BigInt(`${left?.[1] ?? ""}${left?.[2] || "0"}`) -
    BigInt(`${right?.[1] ?? ""}${right?.[2] || "0"}`);
  return big < 0n ? -1 : big > 0n ? 1 : 0;
}

/** Not a number comes first, then NaN, then numbers. */
function compareGeneral(a: string, b: string): number {
  const left = generalNumber(a);
  const right = generalNumber(b);
  if (left === undefined || right === undefined)
    return (left === undefined ? 0 : 1) - (right === undefined ? 0 : 1);
  return left - right;
}

function generalNumber(text: string): number | undefined {
  const match = /^\s*([-+]?(?:inf(?:inity)?|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?))/i.exec(text);
  if (match === null) return undefined;
  return /inf/i.test(match[1] ?? "")
    ? match[1]?.startsWith("-") === true
      ? Number.NEGATIVE_INFINITY
      : Number.POSITIVE_INFINITY
    : Number(match[1]);
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
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
