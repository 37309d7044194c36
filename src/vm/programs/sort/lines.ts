/** The lines sort holds: bytes and offsets, for an object to a line would cost many times the line. */
import { decodeText, type Sys } from "../../../kernel/index.ts";
import { type HeldMemory, MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";

const CHUNK_BYTES = 65_536;

/** Buffers lie outside the kernel's heap: sort may have more of them than other programs of objects. */
const LINES_LIMIT = 2 * MEMORY_LIMIT;

/** What one run of sort may hold before it is written to a temporary file. */
export interface LineBudget {
  /** All together: lines' bytes, offsets, an order, values of keys. */
  readonly bytes: number;
  /** What a line costs beside its bytes, and how often its bytes are kept. */
  readonly perLine: number;
  readonly perByte: number;
}

export class SortLines {
  readonly delimiter: number;
  readonly #held: HeldMemory;
  #bytes = new Uint8Array(CHUNK_BYTES);
  #length = 0;
  /** Where each line ends; the next one starts one further. */
  #ends = new Uint32Array(1024);
  #count = 0;
  /** What was charged for columns and orders of these lines. */
  #charged = 0;

  constructor(held: HeldMemory, delimiter: number) {
    this.#held = held;
    this.delimiter = delimiter;
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

  /**
   * Adds the lines of a fd: up to its end, or until the budget is used up (true). Then the rest of the last line is yet
   * to come. A single line may be larger than the budget; beyond its own limit it fails with a MemoryLimitError.
   */
  async read(sys: Sys, fd: number, budget: LineBudget): Promise<boolean> {
    for (;;) {
      if (this.#isFull(budget)) return true;
      this.#reserve(CHUNK_BYTES);
      const from = this.#length;
      const count = await sys.read(fd, this.#bytes.subarray(from, from + CHUNK_BYTES));
      if (count === 0) break;
      this.#length += count;
      this.#findEnds(from);
      if (this.#held.isNews) await this.#held.tell();
    }
    if (this.#length === this.#tail()) return false;
    this.#reserve(1);
    this.#bytes[this.#length] = this.delimiter;
    this.#addEnd(this.#length);
    this.#length += 1;
    return false;
  }

  /** Adds whole lines, each with its delimiter. Fails with a MemoryLimitError. */
  take(lines: Uint8Array): void {
    this.#reserve(lines.length);
    const from = this.#length;
    this.#bytes.set(lines, from);
    this.#length += lines.length;
    this.#findEnds(from);
  }

  /** Lets go of all lines but the last `kept`, and of what was charged for them. The start of an unfinished line stays. */
  clear(kept = 0): void {
    const from = kept === 0 ? this.#tail() : this.start(this.#count - kept);
    this.#bytes.copyWithin(0, from, this.#length);
    this.#length -= from;
    this.#count = 0;
    this.#findEnds(0);
    this.#discharge();
  }

  /** The end of these lines: the buffers are given back. */
  drop(): void {
    this.#length = 0;
    this.#count = 0;
    this.#held.release(this.#bytes.length - CHUNK_BYTES + this.#ends.byteLength);
    this.#bytes = new Uint8Array(CHUNK_BYTES);
    this.#ends = new Uint32Array(0);
    this.#discharge();
  }

  /** Counts what is held about the lines. Fails with a MemoryLimitError. */
  charge(bytes: number): void {
    this.#charged += bytes;
    this.#held.add(bytes);
  }

  #discharge(): void {
    this.#held.release(this.#charged);
    this.#charged = 0;
  }

  /** Where the unfinished line starts. */
  #tail(): number {
    return this.start(this.#count);
  }

  #isFull({ bytes, perLine, perByte }: LineBudget): boolean {
    if (this.#count === 0) return false;
    return this.#length > LINES_LIMIT || this.#length * perByte + this.#count * perLine > bytes;
  }

  #findEnds(from: number): void {
    const { delimiter } = this;
    const bytes = this.#bytes;
    for (let at = from; at < this.#length; at++) if (bytes[at] === delimiter) this.#addEnd(at);
  }

  #addEnd(at: number): void {
    if (this.#count === this.#ends.length) {
      this.#held.add(this.#ends.byteLength);
      const larger = new Uint32Array(Math.max(1024, this.#ends.length * 2));
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#ends[this.#count] = at;
    this.#count += 1;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    if (needed > LINES_LIMIT + CHUNK_BYTES) throw new MemoryLimitError();
    const wanted = Math.min(this.#bytes.length * 2, LINES_LIMIT + CHUNK_BYTES);
    const larger = new Uint8Array(Math.max(needed, wanted));
    this.#held.add(larger.length - this.#bytes.length);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
