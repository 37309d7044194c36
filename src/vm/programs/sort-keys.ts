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

/** The part of a line that a key is. */
export function extractKey(
  line: string,
  { start, end }: SortKey,
  separator: string | undefined,
): string {
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

export function leadingBlanks(line: string, from: number): number {
  let at = from;
  while (line[at] === " " || line[at] === "\t") at += 1;
  return at - from;
}
