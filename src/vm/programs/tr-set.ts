/** tr's sets: ranges, classes, repeats and escapes as a list of bytes. */
import { encodeText } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
const upper = range(65, 90);
const lower = range(97, 122);
const digits = range(48, 57);

/** The C locale's classes, in the order that makes `[:lower:]` to `[:upper:]` a pairing. */
const classes = new Map<string, readonly number[]>([
  ["alnum", [...digits, ...upper, ...lower]],
  ["alpha", [...upper, ...lower]],
  ["blank", [9, 32]],
  ["cntrl", [...range(0, 31), 127]],
  ["digit", digits],
  ["graph", range(33, 126)],
  ["lower", lower],
  ["print", range(32, 126)],
  ["punct", [...range(33, 47), ...range(58, 64), ...range(91, 96), ...range(123, 126)]],
  ["space", [9, 10, 11, 12, 13, 32]],
  ["upper", upper],
  ["xdigit", [...digits, ...range(65, 70), ...range(97, 102)]],
]);

const escapes = new Map([
  ["a", 7],
  ["b", 8],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
  ["\\", 92],
]);

/** A set, and what it is made of. */
export interface TrSet {
  readonly bytes: number[];
  /** Classes, each with its place among the bytes. */
  readonly classes: { readonly name: string; readonly at: number }[];
  hasEquivalence: boolean;
  /** How many `[x*]` there are. */
  fills: number;
  endsWithClass: boolean;
  readonly warnings: string[];
}

/** `fill` is how long `[x*]` makes the set. Fails with a UsageError. */
export function parseSet(text: string, fill: number): TrSet {
  const set: TrSet = {
    bytes: [],
    classes: [],
    hasEquivalence: false,
    fills: 0,
    endsWithClass: false,
    warnings: [],
  };
  let rest = text;
  let repeated: number | undefined;
  let repeatAt = 0;
  while (rest !== "") {
    const named = readClass(rest, set) ?? readEquivalence(rest, set);
    if (named !== undefined) {
      rest = rest.slice(named);
      continue;
    }
    const repeat = readRepeat(rest);
    set.endsWithClass = false;
    if (repeat === undefined) {
      rest = readItem(rest, set);
      continue;
    }
    rest = rest.slice(repeat.length);
    if (repeat.count > 0) {
      const room = Math.max(0, Math.min(repeat.count, 65_536));
      for (let left = room; left > 0; left--) set.bytes.push(repeat.byte);
      continue;
    }
    repeated = repeat.byte;
    repeatAt = set.bytes.length;
    set.fills += 1;
  }
  if (repeated !== undefined) {
    const missing = Math.max(0, fill - set.bytes.length);
    set.bytes.splice(repeatAt, 0, ...Array<number>(missing).fill(repeated));
  }
  return set;
}

function refused(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}

/** The length of a class at the start. */
function readClass(text: string, set: TrSet): number | undefined {
  const [whole, name = ""] = /^\[:([^]*?):\]/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (name === "") throw refused("missing character class name '[::]'");
  const members = classes.get(name);
  if (members === undefined) throw refused(`invalid character class '${name}'`);
  set.classes.push({ name, at: set.bytes.length });
  set.bytes.push(...members);
  set.endsWithClass = true;
  return whole.length;
}

function readEquivalence(text: string, set: TrSet): number | undefined {
  const [whole, inside = ""] = /^\[=([^]*?)=\]/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (inside === "") throw refused("missing equivalence class character '[==]'");
  const { bytes, length } = readCharacter(inside, set);
  if (length < inside.length || bytes.length > 1)
    throw refused(`${inside}: equivalence class operand must be a single character`);
  set.bytes.push(...bytes);
  set.hasEquivalence = true;
  set.endsWithClass = false;
  return whole.length;
}

function readRepeat(
  text: string,
): { readonly byte: number; readonly count: number; readonly length: number } | undefined {
  const match = /^\[(\\[0-7]{1,3}|\\.|.)\*([^\]]*)\]/su.exec(text);
  if (match === null) return undefined;
  const [whole, character = "", digits = ""] = match;
  if (!/^\d*$/.test(digits) || (digits.startsWith("0") && /[89]/.test(digits)))
    throw refused(`invalid repeat count '${digits}' in [c*n] construct`);
  const [byte = 0] = readCharacter(character).bytes;
  const count = digits === "" ? 0 : Number.parseInt(digits, digits.startsWith("0") ? 8 : 10);
  return { byte, count, length: whole.length };
}

/** One character or a range; answers what follows. */
function readItem(text: string, set: TrSet): string {
  const { bytes } = set;
  const first = readCharacter(text, set);
  const after = text.slice(first.length);
  if (!after.startsWith("-") || after.length === 1) {
    bytes.push(...first.bytes);
    return after;
  }
  const last = readCharacter(after.slice(1), set);
  const from = first.bytes[0] ?? 0;
  const to = last.bytes[0] ?? 0;
  if (first.bytes.length > 1 || last.bytes.length > 1 || to < from) {
    const shown = `${text.slice(0, first.length)}-${after.slice(1, 1 + last.length)}`;
    throw new UsageError(`range-endpoints of '${shown}' are in reverse collating sequence order`, {
      hasHint: false,
    });
  }
  bytes.push(...range(from, to));
  return after.slice(1 + last.length);
}

function readCharacter(
  text: string,
  set?: TrSet,
): {
  readonly bytes: readonly number[];
  readonly length: number;
} {
  const octal = /^\\([0-7]{1,3})/.exec(text);
  if (octal !== null) {
    const digits = octal[1] ?? "0";
    if (Number.parseInt(digits, 8) < 256)
      return { bytes: [Number.parseInt(digits, 8)], length: octal[0].length };
    const short = digits.slice(0, 2);
    set?.warnings.push(
      `warning: the ambiguous octal escape \\${digits} is being\n\tinterpreted as the 2-byte sequence \\0${short}, ${digits.slice(2)}`,
    );
    return { bytes: [Number.parseInt(short, 8)], length: 3 };
  }
  if (text === "\\")
    set?.warnings.push("warning: an unescaped backslash at end of string is not portable");
  const escaped = /^\\(.)/su.exec(text);
  if (escaped !== null) {
    const byte = escapes.get(escaped[1] ?? "");
    return {
      bytes: byte === undefined ? [...encodeText(escaped[1] ?? "")] : [byte],
      length: escaped[0].length,
    };
  }
  const character = String.fromCodePoint(text.codePointAt(0) ?? 0);
  return { bytes: [...encodeText(character)], length: character.length };
}
