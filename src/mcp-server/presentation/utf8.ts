// Text out of bytes that may be no text, and that may be cut anywhere.

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

export interface DecodedText {
  readonly text: string;
  /** Whether there were bytes that are no UTF-8; each shows as U+FFFD. */
  readonly isBinary: boolean;
}

export function decodeUtf8(bytes: Uint8Array): DecodedText {
  try {
    return { text: strict.decode(bytes), isBinary: false };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { text: lenient.decode(bytes), isBinary: true };
  }
}

/** How many bytes at the end begin a character whose rest is missing: 0 to 3. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

/** How many bytes at the start belong to a character whose beginning is missing: 0 to 3. */
export function orphanBytes(bytes: Uint8Array): number {
  let count = 0;
  while (count < Math.min(3, bytes.length) && isContinuation(bytes[count] ?? 0)) count += 1;
  return count;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** By a character's first byte, see RFC 3629. */
function sequenceLength(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 1;
}
