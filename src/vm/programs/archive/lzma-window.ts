import { MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";

/** A chunk of LZMA2 holds at most this much. */
const CHUNK_BYTES = 2 * 1024 * 1024;

/** What was decoded last, for matches to refer to: the dictionary with room for one chunk. */
export class LzmaWindow {
  readonly #dictionary: number;
  bytes: Uint8Array;
  /** The place behind the last byte, and that of the first not handed out. */
  end = 0;
  #start = 0;
  /** How many bytes back a match may reach. */
  #known = 0;
  /** Added to a place to count from where the dictionary was last forgotten. */
  #offset = 0;

  constructor(dictionary: number) {
    if (dictionary > MEMORY_LIMIT) throw new MemoryLimitError();
    this.#dictionary = Math.max(dictionary, 4096);
    this.bytes = new Uint8Array(Math.min(this.#dictionary, CHUNK_BYTES) + CHUNK_BYTES);
  }

  /** Bytes decoded since the dictionary was last forgotten. */
  get position(): number {
    return this.#offset + this.end;
  }

  put(byte: number): void {
    this.bytes[this.end++] = byte;
  }

  /** The byte `distance` back, 1 the last. */
  at(distance: number): number {
    return this.bytes[this.end - distance] ?? 0;
  }

  has(distance: number): boolean {
    return distance <= this.#known + this.end - this.#start;
  }

  copy(distance: number, length: number): void {
    const { bytes } = this;
    let to = this.end;
    let from = to - distance;
    for (const stop = to + length; to < stop; ) bytes[to++] = bytes[from++] ?? 0;
    this.end = to;
  }

  forget(): void {
    this.#known = 0;
    this.#offset = -this.end;
  }

  /** Hands out what is new, and makes room for a chunk. */
  *flush(): Generator<Uint8Array, void, void> {
    this.#known = Math.min(this.#dictionary, this.#known + this.end - this.#start);
    yield this.bytes.subarray(this.#start, this.end);
    this.#start = this.end;
    if (this.end + CHUNK_BYTES <= this.bytes.length) return;
    const kept = Math.min(this.#known, this.end);
    if (kept + CHUNK_BYTES > this.bytes.length) this.#grow(kept);
    this.bytes.copyWithin(0, this.end - kept, this.end);
    this.#offset += this.end - kept;
    this.end = kept;
    this.#start = kept;
  }

  #grow(kept: number): void {
    const size = Math.min(this.#dictionary, Math.max(kept * 2, CHUNK_BYTES)) + CHUNK_BYTES;
    const larger = new Uint8Array(size);
    larger.set(this.bytes.subarray(0, this.end));
    this.bytes = larger;
  }
}
