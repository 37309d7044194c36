/** Texts by characters, not code units; in the C locale by bytes. A list of them is made only where they differ. */
import { decodeText, encodeText } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";

export function countCharacters(shell: Shell, text: string): number {
  if (isPlain(text)) return text.length;
  if (isByteLocale(shell)) return encodeText(text).length;
  return hasPairs(text) ? [...text].length : text.length;
}

export function sliceCharacters(shell: Shell, text: string, from: number, to: number): string {
  if (isPlain(text)) return text.slice(from, to);
  if (isByteLocale(shell)) return decodeText(encodeText(text).subarray(from, to));
  return hasPairs(text) ? [...text].slice(from, to).join("") : text.slice(from, to);
}

/** Whether a character is a byte: LC_ALL, LC_CTYPE and LANG name no locale but C. */
export function isByteLocale(shell: Shell): boolean {
  const { variables } = shell;
  for (const name of ["LC_ALL", "LC_CTYPE", "LANG"]) {
    const locale = variables.get(name) ?? "";
    if (locale !== "") return locale === "C" || locale === "POSIX";
  }
  return true;
}

/** Letters beyond ASCII have no case in the C locale. */
export function toUpper(shell: Shell, text: string): string {
  if (isPlain(text) || !isByteLocale(shell)) return text.toUpperCase();
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

export function toLower(shell: Shell, text: string): string {
  if (isPlain(text) || !isByteLocale(shell)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Text whose characters are its bytes, for matching in the C locale. Bytes beyond ASCII are in no
 * character class there, as lone surrogates are in none: the way text has bytes that are no UTF-8.
 */
export function toByteText(text: string): string {
  return Array.from(encodeText(text), (byte) =>
    String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte),
  ).join("");
}

export function fromByteText(text: string): string {
  return decodeText(Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff));
}

/** Characters, bytes and code units are the same. */
export function isPlain(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- ASCII is what is looked for
  return !/[^\x00-\x7f]/.test(text);
}

function hasPairs(text: string): boolean {
  return /[\ud800-\udbff]/.test(text);
}
