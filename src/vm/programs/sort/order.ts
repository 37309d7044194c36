/** What sort compares lines by: each key of a line has values. */
import type { SortKey } from "./keys.ts";

export interface SortOrder {
  readonly keys: readonly SortKey[];
  /** The ordering options of the command line. */
  readonly letters: string;
  readonly separator: string | undefined;
  /** No comparison of whole lines where the keys are equal. */
  readonly isStable: boolean;
  readonly isUnique: boolean;
}

export type KeyValue = string | number | bigint;

/** Where lines compare by their bytes alone: 1, or -1 for the reverse order. */
export function wholeLineSign({ keys, letters }: SortOrder): 1 | -1 | undefined {
  if (keys.length > 0 || /[^r]/.test(letters)) return undefined;
  return letters.includes("r") ? -1 : 1;
}

export type ValueKind = "number" | "text" | "version";

/** One for each value that `valueOf` makes of the same letters. */
export function kindsOf(letters: string): ValueKind[] {
  if (letters.includes("n")) return ["number"];
  if (letters.includes("h") || letters.includes("g")) return ["number", "number"];
  if (letters.includes("M")) return ["number"];
  if (letters.includes("V")) return ["version"];
  return letters.includes("R") ? ["number", "text"] : ["text"];
}

/** What a key's text is compared by. */
export function valueOf(letters: string): (text: string) => KeyValue[] {
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

/** What is no number comes before all numbers, and what is named "not a number" between them. */
function generalValue(text: string): KeyValue[] {
  const match = generalNumber.exec(text);
  if (match === null) return [0, 0];
  const [, sign = "", digits = ""] = match;
  if (/^nan/i.test(digits)) return [1, 0];
  const value = /^inf/i.test(digits)
    ? Number.POSITIVE_INFINITY
    : /^0x/i.test(digits)
      ? hexValue(digits)
      : Number(digits);
  return [2, sign === "-" ? -value : value];
}

const generalNumber =
  /^\s*([-+]?)(0x[\da-f]+(?:\.[\da-f]*)?(?:p[-+]?\d+)?|nan|inf(?:inity)?|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/i;

function hexValue(text: string): number {
  const [, whole = "", part = "", power = "0"] =
    /^0x([\da-f]+)(?:\.([\da-f]*))?(?:p([-+]?\d+))?$/i.exec(text) ?? [];
  const fraction = part === "" ? 0 : Number.parseInt(part, 16) / 16 ** part.length;
  return (Number.parseInt(whole, 16) + fraction) * 2 ** Number(power);
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
