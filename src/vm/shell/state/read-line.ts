import { decodeText, isKernelError, SEEK_CUR } from "../../../kernel/index.ts";
import type { Shell } from "./shell.ts";
import { growBytes } from "./word-limit.ts";

/** How much is read ahead where it can be given back. */
const AHEAD_BYTES = 4096;

/** A line from a fd without its newline, reading nothing beyond it; undefined at the end of input. */
export async function readLine(shell: Shell, fd: number): Promise<string | undefined> {
  const line = await readUntil(shell, fd, 10);
  return line === undefined ? undefined : decodeText(line.bytes);
}

export interface ReadBytes {
  readonly bytes: Uint8Array;
  /** Whether the delimiter ended it, not the end of input. */
  readonly isWhole: boolean;
}

/**
 * Bytes up to a delimiter, which is taken and left out; undefined when there is nothing at all.
 * A file is read ahead and sought back, anything else byte by byte, so that the next reader of the
 * fd finds what follows.
 */
export async function readUntil(
  shell: Shell,
  fd: number,
  delimiter: number,
): Promise<ReadBytes | undefined> {
  const isSeekable = await canSeek(shell, fd);
  const buffer = new Uint8Array(isSeekable ? AHEAD_BYTES : 1);
  let line = new Uint8Array(128);
  let length = 0;
  for (;;) {
    const count = await shell.retry(() => shell.sys.read(fd, buffer));
    if (count === 0)
      return length === 0 ? undefined : { bytes: line.subarray(0, length), isWhole: false };
    const end = buffer.subarray(0, count).indexOf(delimiter);
    const taken = end === -1 ? count : end;
    if (length + taken > line.length) line = growBytes(line, length + taken);
    line.set(buffer.subarray(0, taken), length);
    length += taken;
    if (end === -1) continue;
    if (count > end + 1) await shell.sys.seek(fd, end + 1 - count, SEEK_CUR);
    return { bytes: line.subarray(0, length), isWhole: true };
  }
}

async function canSeek(shell: Shell, fd: number): Promise<boolean> {
  try {
    return (await shell.sys.fstat(fd)).kind === "file";
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}
