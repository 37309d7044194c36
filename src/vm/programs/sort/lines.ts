/** The lines sort holds: bytes and offsets, for an object to a line would cost many times the line. */
import { decodeText, type Sys } from "../../../kernel/index.ts";
import { HeldMemory, MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";

const CHUNK_BYTES = 65_536;

/** Buffers lie outside the kernel's heap: sort may have more of them than other programs of objects. */
const LINES_LIMIT = 2 * MEMORY_LIMIT;
/** All that sort holds: its lines' bytes, offsets, an order, values of keys. */
const HELD_LIMIT = 7 * MEMORY_LIMIT;

export class SortLines {
  readonly delimiter: number;
  #bytes = new Uint8Array(CHUNK_BYTES);
  #length = 0;
  /** Where each line ends; the next one starts one further. */
  #ends = new Uint32Array(1024);
  #count = 0;
  readonly #held: HeldMemory;

  constructor(sys: Sys, delimiter: number) {
    this.delimiter = delimiter;
    this.#held = new HeldMemory(sys, HELD_LIMIT);
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get count(): number {
    return this.#count;
  }

  start(line: number): number {
    return line === 0 ? 0 : (this.#ends[line - 1] ?? 0) + 1;
  }

  end(line: number): number {
    return this.#ends[line] ?? 0;
  }

  text(line: number): string {
    return decodeText(this.#bytes.subarray(this.start(line), this.end(line)));
  }

  /** Adds the lines of a fd. Fails with a MemoryLimitError. */
  async read(sys: Sys, fd: number): Promise<void> {
    for (;;) {
      if (this.#length + CHUNK_BYTES > this.#bytes.length) this.#growBytes();
      const from = this.#length;
      const count = await sys.read(fd, this.#bytes.subarray(from, from + CHUNK_BYTES));
      if (count === 0) break;
      this.#length += count;
      this.#findEnds(from);
      if (this.#held.isNews) await this.#held.tell();
    }
    const last = this.#count === 0 ? -1 : (this.#ends[this.#count - 1] ?? 0);
    if (this.#length === last + 1) return;
    this.#bytes[this.#length] = this.delimiter;
    this.#addEnd(this.#length);
    this.#length += 1;
  }

  /** Counts what is held about the lines. Fails with a MemoryLimitError. */
  charge(bytes: number): void {
    this.#held.add(bytes);
  }

  #findEnds(from: number): void {
    const { delimiter } = this;
    const bytes = this.#bytes;
    for (let at = from; at < this.#length; at++) if (bytes[at] === delimiter) this.#addEnd(at);
  }

  #addEnd(at: number): void {
    if (this.#count === this.#ends.length) {
      this.charge(this.#ends.byteLength);
      const larger = new Uint32Array(this.#ends.length * 2);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#ends[this.#count] = at;
    this.#count += 1;
  }

  /** Always leaves room for a chunk, and so for a last delimiter. */
  #growBytes(): void {
    if (this.#length >= LINES_LIMIT) throw new MemoryLimitError();
    const larger = new Uint8Array(Math.min(this.#bytes.length * 2, LINES_LIMIT + CHUNK_BYTES));
    this.charge(larger.length - this.#bytes.length);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
