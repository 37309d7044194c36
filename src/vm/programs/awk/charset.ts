/** Characters and bytes: UTF-8 by the locale, or a character for each byte. */
// Deviation: awk says nothing of invalid UTF-8 in its input, where gawk warns once.
import { decodeText, encodeText } from "../../../kernel/index.ts";

export interface Charset {
  /** Each byte is a character. */
  readonly isBytes: boolean;
  decode(bytes: Uint8Array): string;
  encode(text: string): Uint8Array;
  /** The character of a byte from an escape; bytes that make a character do so after `join`. */
  byte(code: number): string;
  /** Text put together from `byte`s, as `decode` shows it. */
  join(text: string): string;
  /** The character of a number for `%c`. */
  character(code: number): string;
  /** A string of the kernel's (a name, an argument) as text here, and back. */
  fromKernel(text: string): string;
  toKernel(text: string): string;
}

/** The one the environment asks for. */
export function charsetOf(environment: ReadonlyMap<string, string>): Charset {
  const locale =
    [environment.get("LC_ALL"), environment.get("LC_CTYPE"), environment.get("LANG")].find(
      (one) => one !== undefined && one !== "",
    ) ?? "C";
  return /utf-?8/i.test(locale) ? utf8 : bytesAsCharacters;
}

const escapedBytes = /[\udc80-\udcff]/;

export const utf8: Charset = {
  isBytes: false,
  decode: decodeText,
  encode: encodeText,
  byte: (code) => String.fromCharCode(code < 128 ? code : 0xdc00 + code),
  join: (text) => (escapedBytes.test(text) ? decodeText(encodeText(text)) : text),
  character: (code) =>
    code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
      ? String.fromCharCode(0xdc00 + (code & 255))
      : String.fromCodePoint(code),
  fromKernel: (text) => text,
  toKernel: (text) => text,
};

export const bytesAsCharacters: Charset = {
  isBytes: true,
  decode: decodeBytes,
  encode: encodeBytes,
  byte: (code) => String.fromCharCode(code),
  join: (text) => text,
  character: (code) => String.fromCharCode(code & 255),
  fromKernel: (text) => decodeBytes(encodeText(text)),
  toKernel: (text) => decodeText(encodeBytes(text)),
};

const PIECE = 8192;

function decodeBytes(bytes: Uint8Array): string {
  if (isAscii(bytes)) return decodeText(bytes);
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  return parts.join("");
}

function encodeBytes(text: string): Uint8Array {
  const encoded = encodeText(text);
  if (encoded.length === text.length && isAscii(encoded)) return encoded;
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] ?? 0) > 127) return false;
  return true;
}
