// The server numbers what a process says, but may leave some out where its reader is slow, and say some twice to one
// who comes again. Here it is put in order, and what is missing is known.

export interface LogEntry {
  readonly sequence: number;
  readonly stream: string;
  readonly data: string;
  readonly encoding: string;
}

export class LogOrder {
  readonly #early = new Map<number, Uint8Array>();
  #earlyBytes = 0;
  #last = 0;

  /** The number of the last piece that came in order. */
  get last(): number {
    return this.#last;
  }

  /** Whether something came that is after what is missing. */
  get isMissing(): boolean {
    return this.#early.size > 0;
  }

  /** What is in order now of the process's output. RangeError on what no server says. */
  take(entry: LogEntry): Uint8Array[] {
    const { sequence, stream, data, encoding } = entry;
    if (!Number.isSafeInteger(sequence) || typeof data !== "string" || encoding !== "base64")
      throw new RangeError("a piece of a log is not as the server makes it");
    if (sequence <= this.#last || this.#early.has(sequence)) return [];
    const bytes = stream === "stdout" ? Buffer.from(data, "base64") : new Uint8Array(0);
    this.#earlyBytes += bytes.length;
    if (this.#early.size >= EARLY_PIECES || this.#earlyBytes > EARLY_BYTES)
      throw new RangeError("too much of a log is missing");
    this.#early.set(sequence, bytes);
    return this.#takeInOrder();
  }

  #takeInOrder(): Uint8Array[] {
    const inOrder: Uint8Array[] = [];
    for (;;) {
      const bytes = this.#early.get(this.#last + 1);
      if (bytes === undefined) return inOrder;
      this.#last += 1;
      this.#early.delete(this.#last);
      this.#earlyBytes -= bytes.length;
      if (bytes.length > 0) inOrder.push(bytes);
    }
  }
}

/** More than the server's own log of a process holds, 10 MiB, and than its pieces of one byte are in practice. */
const EARLY_BYTES = 16 * 1024 * 1024;
const EARLY_PIECES = 65_536;
