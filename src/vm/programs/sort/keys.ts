/** sort's keys: how they are written, and where in a line they are. */

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

/** `F[.C][OPTS][,F[.C][OPTS]]`; a string is what is wrong with it. */
export function parseKey(text: string, letters: string): SortKey | string {
  const match = /^(\d+)(?:\.(\d+))?([bdfgiMhnRrV]*)(?:,(\d+)(?:\.(\d+))?([bdfgiMhnRrV]*))?$/.exec(
    text,
  );
  if (match === null) return describeProblem(text);
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

function describeProblem(text: string): string {
  const rest = /^\d+(?:\.\d+)?[bdfgiMhnRrV]*/.exec(text)?.[0] ?? "";
  if (rest === "") return `invalid number at field start: invalid count at start of '${text}'`;
  const after = text.slice(rest.length);
  if (/^,0(?!\d)/.test(after)) return `field number is zero: invalid field specification '${text}'`;
  if (after.startsWith(",") && !/^,\d/.test(after))
    return `invalid number after ',': invalid count at start of '${after.slice(1)}'`;
  if (/^\d+\.\D?/.test(text) && rest === /^\d+/.exec(text)?.[0])
    return `invalid number after '.': invalid count at start of '${after.slice(1)}'`;
  return `stray character in field spec: invalid field specification '${text}'`;
}

/** Bytes between two offsets, where keys are looked for. */
export interface Slice {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Where in a line a key starts, and where it ends. */
export function keyStart(line: Slice, { start }: SortKey, separator: number | undefined): number {
  return placeOf(line, start, separator, "start");
}

export function keyEnd(line: Slice, { end }: SortKey, separator: number | undefined): number {
  return end === undefined ? line.end : placeOf(line, end, separator, "end");
}

function placeOf(
  line: Slice,
  position: Position,
  separator: number | undefined,
  side: "start" | "end",
): number {
  const from = fieldStart(line, position.field, separator);
  if (side === "end" && position.character === 0) return fieldEnd(line, from, separator);
  const base = position.skipsBlanks ? skipBlanks(line.bytes, from, line.end) : from;
  const offset = side === "start" ? position.character - 1 : position.character;
  return Math.min(base + offset, line.end);
}

/** Without a separator a field starts with the blanks before it. */
function fieldStart(line: Slice, field: number, separator: number | undefined): number {
  let at = line.start;
  for (let number = 1; number < field; number++) {
    const end = fieldEnd(line, at, separator);
    if (end >= line.end) return line.end;
    at = separator === undefined ? end : end + 1;
  }
  return at;
}

function fieldEnd({ bytes, end }: Slice, from: number, separator: number | undefined): number {
  let at = from;
  if (separator !== undefined) {
    while (at < end && bytes[at] !== separator) at += 1;
    return at;
  }
  at = skipBlanks(bytes, at, end);
  while (at < end && bytes[at] !== SPACE && bytes[at] !== TAB) at += 1;
  return at;
}

export function skipBlanks(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] === SPACE || bytes[at] === TAB)) at += 1;
  return at;
}

const SPACE = 32;
const TAB = 9;
