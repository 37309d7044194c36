/** Where words of a line start and end, in three meanings of word. */

/** Letters and digits, as M-f and M-b have it. */
export const isWordCharacter = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
/** Anything but blanks, as C-w has it. */
export const isInk = (character: string): boolean => character !== "" && !/\s/.test(character);

type Test = (character: string) => boolean;

export function wordEnd(text: string, from: number, isWord: Test = isWordCharacter): number {
  let at = from;
  while (at < text.length && !isWord(characterAt(text, at))) at += characterAt(text, at).length;
  while (at < text.length && isWord(characterAt(text, at))) at += characterAt(text, at).length;
  return at;
}

export function wordStart(text: string, from: number, isWord: Test = isWordCharacter): number {
  let at = from;
  while (at > 0 && !isWord(characterBefore(text, at))) at -= characterBefore(text, at).length;
  while (at > 0 && isWord(characterBefore(text, at))) at -= characterBefore(text, at).length;
  return at;
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function characterBefore(text: string, at: number): string {
  const isPair =
    /[\udc00-\udfff]/.test(text.charAt(at - 1)) && /[\ud800-\udbff]/.test(text.charAt(at - 2));
  return text.slice(at - (isPair ? 2 : 1), at);
}
