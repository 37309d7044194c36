/** A block of lines as text and as bytes, for programs that search text and print bytes. */
import { decodeText, encodeText } from "../../kernel/index.ts";

/** A line in the text of its block, with its bytes at hand. */
export interface Line {
  readonly start: number;
  readonly end: number;
}

/** Reading a block of lines as text: the same offsets serve text and bytes where all is ASCII. */
export interface TextBlock {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly isAscii: boolean;
}

/** The line that holds a place. */
export function lineAt(text: string, at: number, delimiter: string): Line {
  const start = at === 0 ? 0 : text.lastIndexOf(delimiter, at - 1) + 1;
  const end = text.indexOf(delimiter, at);
  return { start, end: end === -1 ? text.length : end };
}

export function lineBytes({ bytes, text, isAscii }: TextBlock, { start, end }: Line): Uint8Array {
  return isAscii ? bytes.subarray(start, end) : encodeText(text.slice(start, end));
}

export function countLines(text: string, from: number, to: number, delimiter: string): number {
  let count = 0;
  for (
    let at = text.indexOf(delimiter, from);
    at !== -1 && at < to;
    at = text.indexOf(delimiter, at + 1)
  )
    count += 1;
  return count;
}

/** A NUL, or bytes that are no UTF-8. */
export function isBinary(bytes: Uint8Array): boolean {
  if (bytes.indexOf(0) !== -1) return true;
  return (
    !isAsciiOnly(bytes) &&
    /[\udc80-\udcff]/.test(decodeText(bytes).replace(/[\ud800-\udbff][\udc00-\udfff]/g, ""))
  );
}

function isAsciiOnly(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] ?? 0) > 127) return false;
  return true;
}
