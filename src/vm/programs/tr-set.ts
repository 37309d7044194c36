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

/** `fill` is how long `[x*]` makes the set. */
export function parseSet(text: string, fill: number): number[] {
  const bytes: number[] = [];
  let rest = text;
  let repeated: number | undefined;
  let repeatAt = 0;
  while (rest !== "") {
    const named = /^\[:(\w+):\]/.exec(rest);
    if (named !== null) {
      const members = classes.get(named[1] ?? "");
      if (members === undefined)
        throw new UsageError(`invalid character class '${named[1]}'`, { hasHint: false });
      bytes.push(...members);
      rest = rest.slice(named[0].length);
      continue;
    }
    const same = /^\[=(.)=\]/su.exec(rest);
    if (same !== null) {
      bytes.push(...encodeText(same[1] ?? ""));
      rest = rest.slice(same[0].length);
      continue;
    }
    const repeat = /^\[(\\[0-7]{1,3}|\\.|.)\*(\d*)\]/su.exec(rest);
    if (repeat !== null) {
      const [byte = 0] = readCharacter(repeat[1] ?? "").bytes;
      const count = Number.parseInt(repeat[2] || "0", (repeat[2] ?? "").startsWith("0") ? 8 : 10);
      if (count === 0) {
        repeated = byte;
        repeatAt = bytes.length;
      } else {
        bytes.push(...Array<number>(count).fill(byte));
      }
      rest = rest.slice(repeat[0].length);
      continue;
    }
    rest = readItem(rest, bytes);
  }
  if (repeated !== undefined)
    bytes.splice(repeatAt, 0, ...Array<number>(Math.max(0, fill - bytes.length)).fill(repeated));
  return bytes;
}

/** One character or a range; answers what follows. */
function readItem(text: string, bytes: number[]): string {
  const first = readCharacter(text);
  const after = text.slice(first.length);
  if (!after.startsWith("-") || after.length === 1) {
    bytes.push(...first.bytes);
    return after;
  }
  const last = readCharacter(after.slice(1));
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

function readCharacter(text: string): {
  readonly bytes: readonly number[];
  readonly length: number;
} {
  const octal = /^\\([0-7]{1,3})/.exec(text);
  if (octal !== null)
    return { bytes: [Number.parseInt(octal[1] ?? "0", 8) & 0xff], length: octal[0].length };
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
