// Lines out of the middle of something long, without holding it.
import { setImmediate as nextTurn } from "node:timers/promises";

export interface LineWish {
  /** The first line, from 1 on. */
  readonly offset: number;
  readonly limit: number;
  readonly limitBytes: number;
  /** Lines further away than this are not looked for. */
  readonly scanLimitBytes: number;
}

export interface Lines {
  readonly bytes: Uint8Array;
  /** How many lines are in `bytes`; the last may be cut. */
  readonly count: number;
  /** How many lines were seen before the first: less than asked for when there are no more. */
  readonly skipped: number;
  /** Whether a line follows. */
  readonly hasMore: boolean;
  /** Whether the only line is longer than the limit, and its rest is missing. */
  readonly isLineCut: boolean;
  readonly gaveUp: boolean;
}

const newline = 0x0a;

/** Reads no more of `chunks` than it needs. Whole lines, but for one that alone is over the limit. */
export async function readLines(chunks: AsyncIterable<Uint8Array>, wish: LineWish): Promise<Lines> {
  const { offset, limit, limitBytes, scanLimitBytes } = wish;
  const parts: Buffer[] = [];
  let [skipped, newlines, size, scanned] = [0, 0, 0, 0];
  let gaveUp = false;
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    scanned += rest.length;
    if (skipped < offset - 1) {
      const found = skipLines(rest, offset - 1 - skipped);
      skipped += found.lines;
      rest = rest.subarray(found.end);
      // Far lines take long to find, and others want to be served meanwhile.
      await nextTurn();
    }
    gaveUp = skipped < offset - 1 && scanned >= scanLimitBytes;
    if (gaveUp) break;
    if (rest.length === 0) continue;
    parts.push(Buffer.from(rest));
    size += rest.length;
    newlines += countNewlines(rest);
    if (newlines > limit || size > limitBytes) break;
    // Whether a line follows shows only in the next chunk.
    if (newlines === limit && rest.at(-1) !== newline) break;
  }
  const all = Buffer.concat(parts);
  return { ...cut(all, limit, limitBytes), skipped, gaveUp };
}

function cut(
  all: Buffer,
  limit: number,
  limitBytes: number,
): Pick<Lines, "bytes" | "count" | "hasMore" | "isLineCut"> {
  let end = 0;
  let count = 0;
  while (count < limit && end < all.length) {
    const at = all.indexOf(newline, end);
    const lineEnd = at === -1 ? all.length : at + 1;
    if (lineEnd > limitBytes) break;
    end = lineEnd;
    count += 1;
  }
  if (count === 0 && all.length > 0) {
    return { bytes: all.subarray(0, limitBytes), count: 1, hasMore: true, isLineCut: true };
  }
  return { bytes: all.subarray(0, end), count, hasMore: end < all.length, isLineCut: false };
}

/** Where the line after so many begins; all of the bytes when there are fewer. A call for each line would cost more. */
function skipLines(bytes: Buffer, most: number): { lines: number; end: number } {
  let lines = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== newline) continue;
    lines += 1;
    if (lines === most) return { lines, end: at + 1 };
  }
  return { lines, end: bytes.length };
}

function countNewlines(bytes: Buffer): number {
  return skipLines(bytes, Number.POSITIVE_INFINITY).lines;
}
