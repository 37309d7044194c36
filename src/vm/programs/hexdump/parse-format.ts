/** The format strings of hexdump: units of `count/bytes "text and conversions"`. */
import { UsageError } from "../options.ts";
import { makeConversion, type Show } from "./conversions.ts";

/** Rounds of one unit: no block has as many bytes. */
const ROUNDS_LIMIT = 1 << 20;

/** Text, or a conversion with the text before it. */
export interface Part {
  readonly bytes: number;
  readonly show: Show;
  /** What is shown where there is no more input. */
  readonly blank: string;
  /** The end's offset; shown once, at the end. */
  readonly isEnd: boolean;
  /** Nothing but text. */
  readonly isText: boolean;
  /** Its last character is white space, left out in a unit's last round. */
  readonly endsBlank: boolean;
}

export interface Unit {
  readonly parts: readonly Part[];
  /** Bytes of one round. */
  readonly bytes: number;
  rounds: number;
  readonly isCounted: boolean;
}

export interface FormatString {
  readonly units: Unit[];
  /** Bytes of all units. */
  readonly bytes: number;
}

/** Fails with a UsageError in hexdump's words. */
export function parseFormat(text: string): FormatString {
  const units: Unit[] = [];
  let rest = text.trimStart();
  while (rest !== "") {
    const match = /^(\d+)?(?:\s*\/\s*(\d+))?\s*"((?:[^"\\]|\\.)*)"\s*/s.exec(rest);
    if (match === null) throw refused(`bad format {${text}}`);
    const [whole, count, bytes, format = ""] = match;
    rest = rest.slice(whole.length);
    const parts = parseParts(decode(format), bytes === undefined ? undefined : Number(bytes));
    if (bytes !== undefined && parts.filter((part) => part.bytes > 0).length > 1)
      throw refused("byte count with multiple conversion characters");
    const size = parts.reduce((sum, part) => sum + part.bytes, 0);
    units.push({
      parts,
      bytes: size,
      rounds: count === undefined ? 1 : Math.min(Number(count), ROUNDS_LIMIT),
      isCounted: count !== undefined,
    });
  }
  return { units, bytes: units.reduce((sum, unit) => sum + unit.bytes * unit.rounds, 0) };
}

function refused(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}

const escapes = new Map([
  ["0", "\0"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

function decode(text: string): string {
  return text.replace(/\\(.)/gs, (_, letter: string) => escapes.get(letter) ?? letter);
}

function parseParts(format: string, asked: number | undefined): Part[] {
  const parts: Part[] = [];
  let rest = format;
  while (rest !== "") {
    const match = /^([^%]*)%([-+ #0]*)(\d*)(?:\.(\d*))?(?:(_[acpuA])([dox]?)|(.))/s.exec(rest);
    if (match === null) {
      parts.push(textPart(rest));
      break;
    }
    const [whole, before = "", flags = "", width = "", precision, special, base = "", letter] =
      match;
    if (letter === "%") {
      parts.push(textPart(`${before}%`));
      rest = rest.slice(whole.length);
      continue;
    }
    const takesBase = special === "_a" || special === "_A";
    const used = takesBase ? whole.length : whole.length - base.length;
    rest = rest.slice(used);
    const conversion = {
      flags,
      width: Number(width),
      precision: precision === undefined ? undefined : Number(precision),
      kind: special ?? letter ?? "",
      base,
      asked,
    };
    const { bytes, show } = makeConversion(conversion);
    const isAddress = takesBase;
    parts.push({
      bytes,
      show: (at) => `${before}${show(at)}`,
      blank: isAddress ? "" : `${before}${" ".repeat(conversion.width)}`,
      isEnd: special === "_A",
      isText: isAddress,
      endsBlank: false,
    });
  }
  return parts;
}

function textPart(text: string): Part {
  return {
    bytes: 0,
    show: () => text,
    blank: text,
    isEnd: false,
    isText: true,
    endsBlank: /\s$/.test(text),
  };
}
