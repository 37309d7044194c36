/** Linux's N_TTY_BUF_SIZE: a line holds 4095 bytes and its end. */
export const INPUT_QUEUE_BYTES = 4096;

const MASK = INPUT_QUEUE_BYTES - 1;
/** Stands in the queue where VEOF was typed; marked as an end, so no byte 0 is mistaken for it. */
const END_OF_FILE = 0;

/**
 * What was typed and not read yet: whole lines, then the line being edited.
 *
 * The positions only grow; `lineStart` is where editing stops going back. Memory comes with the
 * first byte.
 */
export class InputQueue {
  #bytes = new Uint8Array(0);
  /** 1 where a line ends. */
  #ends = new Uint8Array(0);
  #tail = 0;
  #head = 0;
  #lineStart = 0;

  get head(): number {
    return this.#head;
  }

  /** Where the line being edited begins: what lies before it can be read in canonical mode. */
  get lineStart(): number {
    return this.#lineStart;
  }

  get size(): number {
    return this.#head - this.#tail;
  }

  /** Bytes in complete lines, ends of file not counted: FIONREAD in canonical mode. */
  get completeBytes(): number {
    let count = 0;
    for (let at = this.#tail; at < this.#lineStart; at++) if (!this.#isEndOfFile(at)) count += 1;
    return count;
  }

  get hasLine(): boolean {
    return this.#lineStart !== this.#tail;
  }

  /** Free places, one kept for a line's end; negative when that one is taken, too. */
  get room(): number {
    return INPUT_QUEUE_BYTES - this.size - 1;
  }

  byteAt(position: number): number {
    return this.#bytes[position & MASK] ?? 0;
  }

  put(byte: number): void {
    this.#allocate();
    this.#bytes[this.#head & MASK] = byte;
    this.#ends[this.#head & MASK] = 0;
    this.#head += 1;
  }

  /** Takes many bytes at once, as many as there is room for; they end no line. */
  putAll(from: Uint8Array): void {
    this.#allocate();
    const at = this.#head & MASK;
    const first = Math.min(from.length, INPUT_QUEUE_BYTES - at);
    this.#bytes.set(from.subarray(0, first), at);
    this.#bytes.set(from.subarray(first), 0);
    this.#head += from.length;
  }

  /** Ends the line being edited with this byte. */
  endLine(byte: number): void {
    this.put(byte);
    this.#ends[(this.#head - 1) & MASK] = 1;
    this.#lineStart = this.#head;
  }

  endFile(): void {
    this.endLine(END_OF_FILE);
  }

  /** Takes back what was typed after the position. */
  cut(position: number): void {
    this.#head = position;
  }

  clear(): void {
    this.#tail = 0;
    this.#head = 0;
    this.#lineStart = 0;
    this.#ends.fill(0);
  }

  /** Makes what is there readable under the new mode, as Linux's n_tty_set_termios does. */
  switchMode(isCanonical: boolean): void {
    this.#ends.fill(0);
    if (!isCanonical || this.size === 0) {
      this.#lineStart = this.#tail;
      return;
    }
    this.#ends[(this.#head - 1) & MASK] = 1;
    this.#lineStart = this.#head;
  }

  /** Moves out at most one line; 0 for an end of file. The rest of a long line stays. */
  takeLine(into: Uint8Array): number {
    let count = 0;
    while (this.#tail < this.#lineStart) {
      const isEnd = this.#ends[this.#tail & MASK] === 1;
      if (isEnd && this.byteAt(this.#tail) === END_OF_FILE) {
        // An end of file right after a full buffer goes with it.
        this.#tail += 1;
        return count;
      }
      if (count === into.length) return count;
      into[count] = this.byteAt(this.#tail);
      count += 1;
      this.#tail += 1;
      if (isEnd) return count;
    }
    return count;
  }

  takeBytes(into: Uint8Array): number {
    const count = Math.min(into.length, this.size);
    const at = this.#tail & MASK;
    const first = Math.min(count, INPUT_QUEUE_BYTES - at);
    into.set(this.#bytes.subarray(at, at + first));
    if (first < count) into.set(this.#bytes.subarray(0, count - first), first);
    this.#tail += count;
    this.#lineStart = this.#tail;
    return count;
  }

  #isEndOfFile(position: number): boolean {
    return this.#ends[position & MASK] === 1 && this.byteAt(position) === END_OF_FILE;
  }

  #allocate(): void {
    if (this.#bytes.length > 0) return;
    this.#bytes = new Uint8Array(INPUT_QUEUE_BYTES);
    this.#ends = new Uint8Array(INPUT_QUEUE_BYTES);
  }
}
