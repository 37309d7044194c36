/**
 * Characters as the regular expressions see them: code points, or bytes in the C locale. A byte that
 * is no part of valid UTF-8 is a character of its own, above all code points.
 */
import { encodeText } from "../../../kernel/index.ts";

/** What is added to a byte that is no UTF-8. */
export const RAW = 0x110000;

/** The characters of a text that was decoded with surrogate escapes. */
export function characterCodes(text: string, isUtf8: boolean): number[] {
  if (!isUtf8) return Array.from(encodeText(text));
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code >= 0xdc80 && code <= 0xdcff ? RAW + code - 0xdc00 : code;
  });
}

/** Whether the locale of an environment is UTF-8: any but C and POSIX. */
export function isUtf8Locale(environment: ReadonlyMap<string, string>): boolean {
  const names = ["LC_ALL", "LC_CTYPE", "LANG"].map((name) => environment.get(name) ?? "");
  const locale = names.find((value) => value !== "") ?? "C";
  return /utf-?8/i.test(locale);
}

export function isWordCode(code: number): boolean {
  if (code < 128) {
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95
    );
  }
  return code < RAW && /[\p{L}\p{N}\p{M}]/u.test(String.fromCodePoint(code));
}

/** How many bytes of UTF-8 a first byte announces; 0 where it can start none. */
export function announcedLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Whether a byte can be the second of a character (RFC 3629, table in §4). */
export function canFollow(first: number, second: number): boolean {
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}

/** The length of the UTF-8 character that starts at a place, 0 where there is none. */
export function utf8Length(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] ?? 0;
  const length = announcedLength(first);
  if (length < 2 || at + length > end) return length === 1 ? 1 : 0;
  if (!canFollow(first, bytes[at + 1] ?? 0)) return 0;
  for (let next = at + 2; next < at + length; next++) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

/** A part of this length is better left to the decoder. */
const LONG_PART = 256;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Whether a part of a text is UTF-8 throughout. */
export function isValidUtf8(bytes: Uint8Array, from: number, to: number): boolean {
  let at = to - from < LONG_PART ? from : asciiEnd(bytes, from, to);
  if (to - at > LONG_PART) return canDecode(bytes.subarray(at, to));
  while (at < to) {
    const length = utf8Length(bytes, at, to);
    if (length === 0) return false;
    at += length;
  }
  return true;
}

function canDecode(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** About where the first byte above 127 stands. Four bytes at a time: most text has none. */
function asciiEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && ((bytes.byteOffset + at) & 3) !== 0 && (bytes[at] ?? 0) < 128) at += 1;
  if (((bytes.byteOffset + at) & 3) !== 0) return at;
  const count = (to - at) >> 2;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, count);
  let word = 0;
  while (word < count && ((words[word] ?? 0) & 0x80808080) === 0) word += 1;
  return at + word * 4;
}

/** The code point of a valid character of this many bytes. */
export function codeAt(bytes: ArrayLike<number>, at: number, length: number): number {
  const first = bytes[at] ?? 0;
  if (length === 1) return first;
  let code = first & (length === 2 ? 0x1f : length === 3 ? 0x0f : 0x07);
  for (let next = at + 1; next < at + length; next++)
    code = (code << 6) | ((bytes[next] ?? 0) & 0x3f);
  return code;
}
