// The part of a command's output that fits into an answer: all of it, or its beginning and its end.
import { HostError } from "../../vm/host-error.ts";
import type { OutputLog } from "../../vm/index.ts";
import { decodeUtf8, orphanBytes, unfinishedBytes } from "./utf8.ts";

export interface Excerpt {
  readonly text: string;
  readonly omittedBytes: number;
  /** Whether there were bytes that are no UTF-8. */
  readonly isBinary: boolean;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What is kept of each end of a log in memory, see OutputLog. */
const endInMemoryBytes = 64 * 1024;
const newline = 0x0a;

/**
 * A span of a log as text of about `limitBytes`. What does not fit, or is no longer kept, is left out of
 * the middle, cut between lines where there are lines, never inside a character; `note` stands in its
 * place.
 */
export async function excerpt(
  log: OutputLog,
  span: Span,
  limitBytes: number,
  note: (omittedBytes: number) => string,
): Promise<Excerpt> {
  const { start, end } = span;
  const fits = end - start <= limitBytes;
  const headEnd = fits ? end : start + Math.ceil(limitBytes / 2);
  const beginning = await readBeginning(log, { start, end: headEnd });
  if (start + beginning.length === end) return { ...decodeUtf8(beginning), omittedBytes: 0 };
  const head = cutEnd(beginning);
  const tailStart = fits ? start + head.length : end - Math.floor(limitBytes / 2);
  const tail = cutStart(await readEnd(log, { start: tailStart, end }));
  const omittedBytes = end - start - head.length - tail.length;
  const [first, last] = [decodeUtf8(head), decodeUtf8(tail)];
  const gap = first.text === "" || first.text.endsWith("\n") ? "" : "\n";
  return {
    text: `${first.text}${gap}${note(omittedBytes)}\n${last.text}`,
    omittedBytes,
    isBinary: first.isBinary || last.isBinary,
  };
}

/** The first bytes of a span, as many as the log still has. */
async function readBeginning(log: OutputLog, { start, end }: Span): Promise<Uint8Array> {
  try {
    return await log.read(start, end - start);
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== "LOG_GONE") throw error;
    return log.ends(endInMemoryBytes, 0).head.subarray(start, end);
  }
}

/** The last bytes of a span, as many as the log still has. */
async function readEnd(log: OutputLog, { start, end }: Span): Promise<Uint8Array> {
  const bytes = await readBeginning(log, { start, end });
  if (bytes.length === end - start) return bytes;
  const { tail } = log.ends(0, endInMemoryBytes);
  const tailStart = log.totalBytes - tail.length;
  if (tailStart >= end) return bytes;
  return tail.subarray(Math.max(0, start - tailStart), end - tailStart);
}

/** Ends after the last line if a line ends in the second half, else after a whole character. */
function cutEnd(bytes: Uint8Array): Uint8Array {
  const lineEnd = bytes.lastIndexOf(newline) + 1;
  if (lineEnd > bytes.length / 2) return bytes.subarray(0, lineEnd);
  return bytes.subarray(0, bytes.length - unfinishedBytes(bytes));
}

/** Begins with a line if one begins in the first half, else with a whole character. */
function cutStart(bytes: Uint8Array): Uint8Array {
  const lineStart = bytes.indexOf(newline) + 1;
  if (lineStart > 0 && lineStart < bytes.length / 2) return bytes.subarray(lineStart);
  return bytes.subarray(orphanBytes(bytes));
}
