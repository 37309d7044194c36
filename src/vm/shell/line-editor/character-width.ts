import { textWidth } from "../../programs/text-width.ts";

/** What one character of a line shows as, and how many columns that takes. */
export interface Shown {
  readonly text: string;
  readonly width: number;
}

const ZERO_WIDTH_JOINER = "\u200d";

/** Control characters show as `^X`, bytes that are no text as `\ooo`; tabs are the caller's part. */
export function showCharacter(character: string): Shown {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 32 && code < 127) return { text: character, width: 1 };
  if (code < 32 || code === 127) return { text: `^${String.fromCharCode(code ^ 64)}`, width: 2 };
  if (code >= 0xdc80 && code <= 0xdcff)
    return { text: `\\${(code - 0xdc00).toString(8)}`, width: 4 };
  return { text: character, width: Math.min(2, textWidth(character)) };
}

/** Whether a character shows on top of the one before it. */
export function isCombining(character: string): boolean {
  return character === ZERO_WIDTH_JOINER || showCharacter(character).width === 0;
}

/** Where the character that starts at `at` ends, with the marks that belong to it. */
export function nextCharacter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  let end = at + codeLength(text, at);
  while (end < text.length) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
    if (!isCombining(character)) break;
    end += character.length;
  }
  return end;
}

/** Where the character before `at` starts. */
export function previousCharacter(text: string, at: number): number {
  let start = at;
  while (start > 0) {
    const isPair =
      /[\udc00-\udfff]/.test(text.charAt(start - 1)) &&
      /[\ud800-\udbff]/.test(text.charAt(start - 2));
    start -= isPair ? 2 : 1;
    if (!isCombining(String.fromCodePoint(text.codePointAt(start) ?? 0))) break;
  }
  return start;
}

function codeLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
