/** What `conv=` does to the bytes that `dd` copies. */
import { MemoryLimitError } from "./memory-limit.ts";

interface Conversion {
  readonly conversions: ReadonlySet<string>;
  /** `cbs=`, the size of a record; 0 where there are none. */
  readonly lineBytes: number;
}

const NEWLINE = 10;
const SPACE = 32;

/** Bytes that one block becomes. */
const MADE_LIMIT = 8 * 1024 * 1024;

/** Fills the rest of a block that was read in part. */
export function pad(
  buffer: Uint8Array,
  length: number,
  conversions: ReadonlySet<string>,
): Uint8Array {
  const isText = conversions.has("block") || conversions.has("unblock");
  buffer.fill(isText ? SPACE : 0, length);
  return buffer;
}

/** Converts block after block: records may go over from one to the next. */
export class BlockConverter {
  readonly #conversions: ReadonlySet<string>;
  readonly #lineBytes: number;
  /** Where in its record the next byte is. */
  #column = 0;
  /** Blanks at the end of a record so far, which `unblock` leaves out unless more follows. */
  #blanks = 0;
  /** Records that were longer than `cbs`. */
  truncated = 0;

  constructor({ conversions, lineBytes }: Conversion) {
    this.#conversions = conversions;
    this.#lineBytes = lineBytes;
  }

  /** May change the block itself. Fails with a MemoryLimitError. */
  convert(block: Uint8Array): Uint8Array {
    if (this.#conversions.has("swab")) swapBytes(block);
    if (this.#conversions.has("ucase")) shiftLetters(block, 97, -32);
    if (this.#conversions.has("lcase")) shiftLetters(block, 65, 32);
    if (this.#lineBytes === 0) return block;
    if (this.#conversions.has("block")) return this.#block(block);
    return this.#conversions.has("unblock") ? this.#unblock(block) : block;
  }

  /** What is left when the input ends. Fails with a MemoryLimitError. */
  end(): Uint8Array {
    if (this.#lineBytes === 0 || this.#column === 0) return new Uint8Array(0);
    if (this.#conversions.has("block")) requireRoom(this.#lineBytes - this.#column);
    if (this.#conversions.has("block"))
      return new Uint8Array(Math.max(0, this.#lineBytes - this.#column)).fill(SPACE);
    return this.#conversions.has("unblock") ? Uint8Array.of(NEWLINE) : new Uint8Array(0);
  }

  /** Lines become records of one size. */
  #block(block: Uint8Array): Uint8Array {
    const records: number[] = [];
    for (const byte of block) {
      if (byte === NEWLINE) {
        requireRoom(records.length + this.#lineBytes - this.#column);
        for (; this.#column < this.#lineBytes; this.#column++) records.push(SPACE);
        this.#column = 0;
        continue;
      }
      if (this.#column === this.#lineBytes) this.truncated += 1;
      if (this.#column < this.#lineBytes) records.push(byte);
      this.#column += 1;
    }
    return Uint8Array.from(records);
  }

  /** Records become lines without the blanks at their end. */
  #unblock(block: Uint8Array): Uint8Array {
    const lines: number[] = [];
    for (const byte of block) {
      if (this.#column === this.#lineBytes) {
        lines.push(NEWLINE);
        this.#column = 0;
        this.#blanks = 0;
      }
      this.#column += 1;
      if (byte === SPACE) {
        this.#blanks += 1;
        continue;
      }
      for (; this.#blanks > 0; this.#blanks--) lines.push(SPACE);
      lines.push(byte);
    }
    return Uint8Array.from(lines);
  }
}

function requireRoom(bytes: number): void {
  if (bytes > MADE_LIMIT) throw new MemoryLimitError();
}

function swapBytes(block: Uint8Array): void {
  for (let at = 0; at + 1 < block.length; at += 2) {
    const first = block[at] ?? 0;
    block[at] = block[at + 1] ?? 0;
    block[at + 1] = first;
  }
}

/** Moves the 26 letters from `first` on by `by`. */
function shiftLetters(block: Uint8Array, first: number, by: number): void {
  for (let at = 0; at < block.length; at++) {
    const byte = block[at] ?? 0;
    if (byte >= first && byte < first + 26) block[at] = byte + by;
  }
}
