import type { Sys } from "../../kernel/index.ts";
import { grownSize } from "./memory-limit.ts";

const CHUNK_BYTES = 65_536;
/** Of one read: a device fills whatever it is given. */
const READ_BYTES = 262_144;

/**
 * Reads a fd in blocks of whole lines: each block ends with the delimiter, but for a last line that
 * has none. A block is a view that the next call overwrites. Memory is bounded by the longest line.
 */
export class LineBlocks {
  readonly #sys: Sys;
  #fd: number;
  readonly #delimiter: number;
  readonly #readsAhead: boolean;
  #buffer = new Uint8Array(CHUNK_BYTES);
  /** Where what is not yet handed out starts and ends. */
  #start = 0;
  #end = 0;
  #isAtEnd = false;
  /** What may still be read. */
  #leftBytes = Infinity;

  /** `readsAhead` is false where somebody else reads on: then a block is a line, and nothing behind it is taken. */
  constructor(sys: Sys, fd: number, delimiter = 10, readsAhead = true) {
    this.#sys = sys;
    this.#fd = fd;
    this.#delimiter = delimiter;
    this.#readsAhead = readsAhead;
  }

  /**
   * Goes on with another fd from its offset, in the same memory: many small files need no more than one. Where it is
   * known to have so many bytes, nothing is asked for behind them.
   */
  begin(fd: number, sizeBytes = Infinity): void {
    this.#fd = fd;
    this.#leftBytes = sizeBytes;
    this.#start = 0;
    this.#end = 0;
    this.#isAtEnd = false;
  }

  /** Undefined at the end of input. */
  async next(): Promise<Uint8Array | undefined> {
    this.#buffer.copyWithin(0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    let searched = 0;
    while (!this.#isAtEnd) {
      if (this.#end === this.#buffer.length) this.#grow();
      const count = await this.#read(this.#buffer.subarray(this.#end, this.#end + READ_BYTES));
      if (count === 0) {
        this.#isAtEnd = true;
        break;
      }
      this.#end += count;
      this.#leftBytes -= count;
      if (this.#leftBytes <= 0) this.#isAtEnd = true;
      const last = this.#buffer.subarray(searched, this.#end).lastIndexOf(this.#delimiter);
      if (last !== -1) return this.#take(searched + last + 1);
      searched = this.#end;
    }
    return this.#end === 0 ? undefined : this.#take(this.#end);
  }

  /** Bytes that were read and are in no block yet. */
  get unread(): number {
    return this.#end - this.#start;
  }

  #read(into: Uint8Array): Promise<number> {
    return this.#readsAhead
      ? this.#sys.read(this.#fd, into)
      : this.#sys.readThrough(this.#fd, into, this.#delimiter);
  }

  #take(end: number): Uint8Array {
    this.#start = end;
    return this.#buffer.subarray(0, end);
  }

  #grow(): void {
    const larger = new Uint8Array(
      grownSize(this.#buffer.length + CHUNK_BYTES, this.#buffer.length),
    );
    larger.set(this.#buffer);
    this.#buffer = larger;
  }
}

/** Calls back with each line of a block, without its delimiter. `false` ends it. */
export function forEachLine(
  block: Uint8Array,
  step: (line: Uint8Array, hasDelimiter: boolean) => boolean | void,
  delimiter = 10,
): boolean {
  let start = 0;
  while (start < block.length) {
    const end = block.indexOf(delimiter, start);
    const stop = end === -1 ? block.length : end;
    if (step(block.subarray(start, stop), end !== -1) === false) return false;
    start = stop + 1;
  }
  return true;
}
