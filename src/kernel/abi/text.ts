/**
 * Text and bytes without loss.
 *
 * Names, arguments and shell source are strings; a guest's bytes need not be UTF-8. Each byte that
 * is not part of valid UTF-8 becomes one lone surrogate U+DC80…U+DCFF and comes back as that byte
 * (Python's "surrogateescape", PEP 383).
 */
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Longer texts are TextEncoder's. */
const SHORT_TEXT = 64;
const ESCAPE_FIRST = 0xdc80;
const ESCAPE_LAST = 0xdcff;
const ESCAPE_BASE = 0xdc00;

export function decodeText(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return decodeWithEscapes(bytes);
    throw error;
  }
}

export function encodeText(text: string): Uint8Array {
  if (text.length <= SHORT_TEXT) {
    const bytes = encodeShortAscii(text);
    if (bytes !== undefined) return bytes;
  }
  return text.isWellFormed() ? encoder.encode(text) : encodeWithEscapes(text);
}

/** How many bytes `encodeText` makes of it; of short ASCII, as most names and values are, without making them. */
export function encodedLength(text: string): number {
  return text.length <= SHORT_TEXT && isAscii(text) ? text.length : encodeText(text).length;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/**
 * The same text on its own. V8 keeps the whole of a text for as long as a part cut from it lives;
 * what the kernel keeps must not keep a guest's script with it.
 */
export function copyText(text: string): string {
  return ` ${text}`.slice(1);
}

/** For a short text a loop is ten times as fast as TextEncoder; undefined unless all is ASCII. */
function encodeShortAscii(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return undefined;
    bytes[i] = unit;
  }
  return bytes;
}

function decodeWithEscapes(bytes: Uint8Array): string {
  const parts: string[] = [];
  let start = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (at > start) parts.push(strict.decode(bytes.subarray(start, at)));
    parts.push(String.fromCharCode(ESCAPE_BASE + (bytes[at] ?? 0)));
    at += 1;
    start = at;
  }
  if (at > start) parts.push(strict.decode(bytes.subarray(start, at)));
  return parts.join("");
}

/** The length of the valid UTF-8 sequence at `at`, 0 where there is none (RFC 3629, table in §4). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = 2; i < length; i++) {
    if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

function isPair(text: string, at: number): boolean {
  const isHigh = (text.charCodeAt(at) & 0xfc00) === 0xd800;
  return isHigh && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

function encodeWithEscapes(text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  let start = 0;
  const flush = (end: number): void => {
    if (end > start) {
      const piece = encoder.encode(text.slice(start, end));
      parts.push(piece);
      size += piece.length;
    }
  };
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isPair(text, i)) {
      i += 1;
      continue;
    }
    if (unit < ESCAPE_FIRST || unit > ESCAPE_LAST) continue;
    flush(i);
    parts.push(Uint8Array.of(unit - ESCAPE_BASE));
    size += 1;
    start = i + 1;
  }
  flush(text.length);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
