import { MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";

/** A file's bytes and where each of its lines starts. */
export class TextLines {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** The last line does not end with a newline. */
  readonly isCut: boolean;
  readonly #starts: Int32Array;

  /** Fails with a MemoryLimitError where there are too many lines. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.isCut = bytes.length > 0 && bytes.at(-1) !== 10;
    let count = this.isCut ? 1 : 0;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
    if (count * 4 > MEMORY_LIMIT) throw new MemoryLimitError();
    this.count = count;
    this.#starts = new Int32Array(count + 1);
    let start = 0;
    for (let line = 0; line < count; line++) {
      this.#starts[line] = start;
      start = bytes.indexOf(10, start) + 1;
    }
    this.#starts[count] = bytes.length;
  }

  start(line: number): number {
    return this.#starts[line] ?? this.bytes.length;
  }

  /** Where the line's text ends, its newline not counted. */
  end(line: number): number {
    return this.start(line + 1) - (this.hasNewline(line) ? 1 : 0);
  }

  hasNewline(line: number): boolean {
    return !this.isCut || line < this.count - 1;
  }

  /** With its newline. */
  whole(line: number): Uint8Array {
    return this.bytes.subarray(this.start(line), this.start(line + 1));
  }

  /** Without its newline. */
  text(line: number): Uint8Array {
    return this.bytes.subarray(this.start(line), this.end(line));
  }
}
