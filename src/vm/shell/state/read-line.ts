import { decodeText, type FileKind, isKernelError, SEEK_CUR } from "../../../kernel/index.ts";
import type { Shell } from "./shell.ts";
import { growBytes } from "./word-limit.ts";

/** How much is read ahead where it can be given back. */
const AHEAD_BYTES = 4096;
/** How much is read ahead where all of it will be taken. */
const WHOLE_BYTES = 65_536;

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
 * A file is read ahead and sought back, a pipe up to the delimiter, anything else byte by byte, so
 * that the next reader of the fd finds what follows.
 */
export async function readUntil(
  shell: Shell,
  fd: number,
  delimiter: number,
): Promise<ReadBytes | undefined> {
  const reader = await LineReader.open(shell, fd, true);
  const line = await reader.next(delimiter);
  await reader.close();
  return line;
}

/** Reads lines one after the other. `close` gives back what was read ahead. */
export class LineReader {
  readonly #shell: Shell;
  readonly #fd: number;
  readonly #buffer: Uint8Array<ArrayBuffer>;
  readonly #kind: FileKind | undefined;
  readonly #isShared: boolean;
  #start = 0;
  #end = 0;

  private constructor(shell: Shell, fd: number, kind: FileKind | undefined, isShared: boolean) {
    this.#shell = shell;
    this.#fd = fd;
    this.#kind = kind;
    this.#isShared = isShared;
    const isAhead = kind === "file" || kind === "fifo";
    this.#buffer = new Uint8Array(isShared ? (isAhead ? AHEAD_BYTES : 1) : WHOLE_BYTES);
  }

  /** `isShared`: somebody reads on after this reader, which then takes no byte too many. */
  static async open(shell: Shell, fd: number, isShared: boolean): Promise<LineReader> {
    return new LineReader(shell, fd, await kindOf(shell, fd), isShared);
  }

  async next(delimiter: number): Promise<ReadBytes | undefined> {
    let line: Uint8Array<ArrayBuffer> | undefined;
    let length = 0;
    for (;;) {
      if (this.#start === this.#end && !(await this.#fill(delimiter))) {
        if (length === 0) return undefined;
        return { bytes: (line ?? this.#buffer).subarray(0, length), isWhole: false };
      }
      const piece = this.#buffer.subarray(this.#start, this.#end);
      const found = piece.indexOf(delimiter);
      const taken = found === -1 ? piece : piece.subarray(0, found);
      this.#start += found === -1 ? taken.length : found + 1;
      if (line === undefined && found !== -1) return { bytes: taken.slice(), isWhole: true };
      line ??= new Uint8Array(Math.max(128, taken.length));
      if (length + taken.length > line.length) line = growBytes(line, length + taken.length);
      line.set(taken, length);
      length += taken.length;
      if (found !== -1) return { bytes: line.subarray(0, length), isWhole: true };
    }
  }

  async close(): Promise<void> {
    const rest = this.#end - this.#start;
    if (rest > 0 && this.#kind === "file") await this.#shell.sys.seek(this.#fd, -rest, SEEK_CUR);
    this.#start = this.#end;
  }

  async #fill(delimiter: number): Promise<boolean> {
    const { sys } = this.#shell;
    const until = this.#isShared && this.#kind === "fifo" ? delimiter : undefined;
    const count = await this.#shell.retry(() => sys.read(this.#fd, this.#buffer, until));
    this.#start = 0;
    this.#end = count;
    return count > 0;
  }
}

async function kindOf(shell: Shell, fd: number): Promise<FileKind | undefined> {
  try {
    return (await shell.sys.fstat(fd)).kind;
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}
