import { grownSize } from "../memory-limit.ts";

/**
 * The pattern space: bytes of a line, in the block they were read in until something changes them,
 * then in a buffer of its own. Fails with a MemoryLimitError.
 */
export class PatternSpace {
  #own: Uint8Array = new Uint8Array(256);
  #spare: Uint8Array = new Uint8Array(256);
  bytes: Uint8Array = this.#own;
  start = 0;
  end = 0;

  /** Whether the bytes are a part of the block they were read in. */
  get isBlock(): boolean {
    return this.bytes !== this.#own;
  }

  get length(): number {
    return this.end - this.start;
  }

  view(): Uint8Array {
    return this.bytes.subarray(this.start, this.end);
  }

  /** Looks at bytes of a block. */
  show(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  /** Keeps a copy: the block is about to be overwritten. */
  keep(): void {
    if (this.isBlock) this.set(this.view());
  }

  set(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#own.set(bytes);
    this.show(this.#own, 0, bytes.length);
  }

  clear(): void {
    this.show(this.#own, 0, 0);
  }

  append(bytes: Uint8Array): void {
    this.keep();
    const needed = this.end + bytes.length;
    if (needed > this.#own.length) this.#compact(bytes.length);
    this.#own.set(bytes, this.end);
    this.end += bytes.length;
  }

  #compact(more: number): void {
    const length = this.length;
    if (length + more > this.#own.length / 2) {
      const larger = new Uint8Array(grownSize(length + more, this.#own.length));
      larger.set(this.view());
      this.#own = larger;
    } else {
      this.#own.copyWithin(0, this.start, this.end);
    }
    this.show(this.#own, 0, length);
  }

  /** Takes over what was made in `made`, and gives it another buffer. */
  swap(made: ByteBuilder): void {
    const { bytes, length } = made;
    this.#spare = this.#own;
    this.#own = bytes;
    this.show(bytes, 0, length);
    made.reset(this.#spare);
  }

  #reserve(length: number): void {
    if (length > this.#own.length) this.#own = new Uint8Array(grownSize(length, this.#own.length));
  }
}

/** Pieces below this are copied byte by byte: a view would cost more. */
const SMALL_BYTES = 256;

/** Bytes being put together. */
export class ByteBuilder {
  bytes: Uint8Array = new Uint8Array(256);
  length = 0;

  reset(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.length = 0;
  }

  add(from: Uint8Array, start: number, end: number): void {
    const count = end - start;
    const needed = this.length + count;
    if (needed > this.bytes.length) {
      const larger = new Uint8Array(grownSize(needed, this.bytes.length));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    if (count < SMALL_BYTES) {
      const { bytes, length } = this;
      for (let at = 0; at < count; at++) bytes[length + at] = from[start + at] ?? 0;
    } else {
      this.bytes.set(from.subarray(start, end), this.length);
    }
    this.length = needed;
  }
}
