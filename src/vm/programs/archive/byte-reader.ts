import type { Sys } from "../../../kernel/index.ts";

/** Bytes in pieces. A piece is a view that the next may overwrite. */
export type ByteStream = AsyncIterator<Uint8Array, void, void>;

const CHUNK_BYTES = 65_536;

/** What a fd gives, to its end. Pieces are the caller's to keep. */
export async function* readStream(sys: Sys, fd: number): AsyncGenerator<Uint8Array, void, void> {
  for (;;) {
    const buffer = new Uint8Array(CHUNK_BYTES);
    const count = await sys.read(fd, buffer);
    if (count === 0) return;
    yield buffer.subarray(0, count);
  }
}

/** Takes a stream apart by lengths. */
export class ByteReader {
  readonly #stream: ByteStream;
  #piece: Uint8Array = new Uint8Array(0);
  #isAtEnd = false;
  /** Bytes taken so far. */
  position = 0;

  constructor(stream: ByteStream) {
    this.#stream = stream;
  }

  /** Some bytes, at most as many; empty at the end. They count as taken. */
  async some(most: number): Promise<Uint8Array> {
    if (this.#piece.length === 0) await this.#pull();
    const taken = this.#piece.subarray(0, most);
    this.#piece = this.#piece.subarray(taken.length);
    this.position += taken.length;
    return taken;
  }

  /** Exactly as many bytes, or fewer at the end. */
  async take(count: number): Promise<Uint8Array> {
    if (this.#piece.length >= count) return this.some(count);
    const bytes = new Uint8Array(count);
    let length = 0;
    while (length < count) {
      const piece = await this.some(count - length);
      if (piece.length === 0) return bytes.subarray(0, length);
      bytes.set(piece, length);
      length += piece.length;
    }
    return bytes;
  }

  /** The next bytes without taking them; fewer at the end. */
  async peek(count: number): Promise<Uint8Array> {
    while (this.#piece.length < count && !this.#isAtEnd) {
      const kept = this.#piece.slice();
      this.#piece = new Uint8Array(0);
      await this.#pull();
      const joined = new Uint8Array(kept.length + this.#piece.length);
      joined.set(kept);
      joined.set(this.#piece, kept.length);
      this.#piece = joined;
    }
    return this.#piece.subarray(0, count);
  }

  /** Puts bytes back, to be taken next. */
  unread(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const joined = new Uint8Array(bytes.length + this.#piece.length);
    joined.set(bytes);
    joined.set(this.#piece, bytes.length);
    this.#piece = joined;
    this.position -= bytes.length;
  }

  /** Answers how many were there to skip. */
  async skip(count: number): Promise<number> {
    let left = count;
    while (left > 0) {
      const piece = await this.some(left);
      if (piece.length === 0) break;
      left -= piece.length;
    }
    return count - left;
  }

  /** All that is left, in pieces. */
  async *rest(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      const piece = await this.some(CHUNK_BYTES);
      if (piece.length === 0) return;
      yield piece;
    }
  }

  async #pull(): Promise<void> {
    while (!this.#isAtEnd && this.#piece.length === 0) {
      const result = await this.#stream.next();
      if (result.done === true) this.#isAtEnd = true;
      else this.#piece = result.value;
    }
  }
}
