/** The first allocation: what a short line needs, and what V8 keeps on its own heap. */
const FIRST_BYTES = 64;
const nothing = new Uint8Array(0);

/**
 * A bounded queue of bytes. It starts without memory and doubles on demand, so a queue that carries
 * three bytes costs a few hundred; a bulk transfer gets its whole capacity at the first write.
 */
export class ByteRing {
  readonly capacity: number;
  #bytes = nothing;
  #head = 0;
  #size = 0;

  /** The capacity is a power of two. */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get size(): number {
    return this.#size;
  }

  get room(): number {
    return this.capacity - this.#size;
  }

  /** Bytes of memory held now. */
  get allocatedBytes(): number {
    return this.#bytes.length;
  }

  /** Takes bytes of `from` from `start` on, as many as fit; answers how many. */
  push(from: Uint8Array, start = 0): number {
    const count = Math.min(from.length - start, this.room);
    if (count <= 0) return 0;
    this.#reserve(this.#size + count);
    const length = this.#bytes.length;
    const tail = (this.#head + this.#size) & (length - 1);
    const first = Math.min(count, length - tail);
    this.#bytes.set(slice(from, start, start + first), tail);
    if (first < count) this.#bytes.set(slice(from, start + first, start + count), 0);
    this.#size += count;
    return count;
  }

  pushByte(byte: number): boolean {
    if (this.room === 0) return false;
    this.#reserve(this.#size + 1);
    this.#bytes[(this.#head + this.#size) & (this.#bytes.length - 1)] = byte;
    this.#size += 1;
    return true;
  }

  /** How many bytes there are up to and with the first `byte`; all of them where it is not among them. */
  countThrough(byte: number): number {
    const first = this.#bytes.subarray(this.#head, this.#head + this.#size);
    const found = first.indexOf(byte);
    if (found !== -1) return found + 1;
    if (first.length === this.#size) return this.#size;
    const wrapped = this.#bytes.subarray(0, this.#size - first.length).indexOf(byte);
    return wrapped === -1 ? this.#size : first.length + wrapped + 1;
  }

  /** Moves bytes out into `into`, as many as there are; answers how many. */
  shift(into: Uint8Array): number {
    const count = this.peek(into);
    this.#drop(count);
    return count;
  }

  /** Copies what `shift` would move. */
  peek(into: Uint8Array): number {
    const count = Math.min(into.length, this.#size);
    const length = this.#bytes.length;
    const first = Math.min(count, length - this.#head);
    into.set(slice(this.#bytes, this.#head, this.#head + first));
    if (first < count) into.set(slice(this.#bytes, 0, count - first), first);
    return count;
  }

  /** Takes out one byte; -1 when there is none. */
  shiftByte(): number {
    if (this.#size === 0) return -1;
    const byte = this.#bytes[this.#head] ?? 0;
    this.#drop(1);
    return byte;
  }

  /** Forgets what was taken in last, beyond the first `size` bytes. */
  cut(size: number): void {
    this.#size = Math.min(this.#size, size);
  }

  /** Forgets the content and gives the memory back. */
  clear(): void {
    this.#bytes = nothing;
    this.#head = 0;
    this.#size = 0;
  }

  #drop(count: number): void {
    this.#size -= count;
    // An empty ring starts over, so that the next write is one piece.
    this.#head = this.#size === 0 ? 0 : (this.#head + count) & (this.#bytes.length - 1);
  }

  #reserve(size: number): void {
    if (size <= this.#bytes.length) return;
    let length = Math.max(FIRST_BYTES, this.#bytes.length);
    while (length < size) length *= 2;
    const bytes = new Uint8Array(Math.min(length, this.capacity));
    const kept = this.#size;
    const first = Math.min(kept, this.#bytes.length - this.#head);
    bytes.set(slice(this.#bytes, this.#head, this.#head + first));
    bytes.set(slice(this.#bytes, 0, kept - first), first);
    this.#bytes = bytes;
    this.#head = 0;
  }
}

function slice(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}
