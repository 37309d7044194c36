import { decodeText, encodeText } from "../../../kernel/index.ts";
import type { Shell } from "./shell.ts";
import { growBytes } from "./word-limit.ts";

/** What most lines fit; a longer one is read in pieces. */
const LINE_BYTES = 4096;
/** How much is read at one time where all of it will be taken. */
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
 * Bytes up to a delimiter, which is taken and left out; undefined when there is nothing at all. The
 * next reader of the fd finds what follows.
 */
export async function readUntil(
  shell: Shell,
  fd: number,
  delimiter: number,
): Promise<ReadBytes | undefined> {
  return new LineReader(shell, fd, true).next(delimiter);
}

/** The byte that a `-d` option names: the first of its text, NUL where that is empty, as bash has it. */
export function delimiterOf(text: string): number {
  return encodeText(text.slice(0, 2))[0] ?? 0;
}

/** Reads lines one after the other. */
export class LineReader {
  readonly #shell: Shell;
  readonly #fd: number;
  readonly #buffer: Uint8Array<ArrayBuffer>;
  readonly #isShared: boolean;
  #start = 0;
  #end = 0;

  /** `isShared`: somebody reads on after this reader, which then takes no byte too many. */
  constructor(shell: Shell, fd: number, isShared: boolean) {
    this.#shell = shell;
    this.#fd = fd;
    this.#isShared = isShared;
    this.#buffer = new Uint8Array(isShared ? LINE_BYTES : WHOLE_BYTES);
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

  async #fill(delimiter: number): Promise<boolean> {
    const { sys } = this.#shell;
    const into = this.#buffer;
    const read = this.#isShared
      ? () => sys.readThrough(this.#fd, into, delimiter)
      : () => sys.read(this.#fd, into);
    this.#start = 0;
    this.#end = await this.#shell.retry(read);
    return this.#end > 0;
  }
}
