/** What stands beside a place in a text, for assertions. */
import { announcedLength, codeAt, isWordCode, RAW, utf8Length } from "./characters.ts";
import type { Sign } from "./tree.ts";

/** The text ends here. */
export const EDGE = 0;
/** A newline, where lines within the text count. */
export const NEWLINE = 1;
export const WORD = 2;
export const OTHER = 3;
export const KIND_COUNT = 4;

export interface TextStyle {
  readonly isUtf8: boolean;
  /** `^` and `$` match at newlines within the text. */
  readonly isMultiline: boolean;
}

export function kindOf(code: number, { isMultiline, isUtf8 }: TextStyle): number {
  if (code === 10 && isMultiline) return NEWLINE;
  return (isUtf8 || code < 128) && isWordCode(code) ? WORD : OTHER;
}

export function holds(sign: Sign, before: number, after: number): boolean {
  switch (sign) {
    case "line-start":
      return before <= NEWLINE;
    case "line-end":
      return after <= NEWLINE;
    case "text-start":
      return before === EDGE;
    case "text-end":
      return after === EDGE;
    case "edge":
      return (before === WORD) !== (after === WORD);
    case "no-edge":
      return (before === WORD) === (after === WORD);
    case "word-start":
      return before !== WORD && after === WORD;
    case "word-end":
      return before === WORD && after !== WORD;
    case "no-word-before":
      return before !== WORD;
    case "no-word-behind":
      return after !== WORD;
  }
}

export interface Text {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export const NO_TEXT: Text = { bytes: new Uint8Array(0), start: 0, end: 0 };

export function isSameText(one: Text, other: Text): boolean {
  return one.bytes === other.bytes && one.start === other.start && one.end === other.end;
}

export function kindAfter({ bytes, end }: Text, at: number, style: TextStyle): number {
  if (at >= end) return EDGE;
  const first = bytes[at] ?? 0;
  if (first < 128 || !style.isUtf8) return kindOf(first, style);
  const length = utf8Length(bytes, at, end);
  return kindOf(length === 0 ? RAW + first : codeAt(bytes, at, length), style);
}

export function kindBefore({ bytes, start }: Text, at: number, style: TextStyle): number {
  if (at <= start) return EDGE;
  const last = bytes[at - 1] ?? 0;
  if (last < 128 || !style.isUtf8) return kindOf(last, style);
  for (let from = at - 2; from >= start && from >= at - 4; from--) {
    if (announcedLength(bytes[from] ?? 0) < 2) continue;
    const length = utf8Length(bytes, from, at);
    return kindOf(length === at - from ? codeAt(bytes, from, length) : RAW + last, style);
  }
  return kindOf(RAW + last, style);
}
