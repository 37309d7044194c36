/** The newest output of a process. */
export class TailLog {
  readonly #limitBytes: number;
  readonly #chunks: { readonly stream: LogStream; readonly bytes: Uint8Array }[] = [];
  #size = 0;
  /** All bytes that ever came. */
  total = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  add(stream: LogStream, bytes: Uint8Array): void {
    const kept = bytes.slice(Math.max(0, bytes.length - this.#limitBytes));
    this.total += bytes.length;
    this.#chunks.push({ stream, bytes: kept });
    this.#size += kept.length;
    while (this.#size > this.#limitBytes) {
      this.#size -= this.#chunks.shift()?.bytes.length ?? 0;
    }
  }

  /** Whether older output was let go. */
  get isCut(): boolean {
    return this.total > this.#size;
  }

  /** What came after that many bytes, as far as it is kept. */
  since(total: number): Uint8Array {
    const all = this.bytes();
    return all.subarray(Math.max(0, all.length - (this.total - total)));
  }

  /** Both streams in the order they came in, or one of them. */
  bytes(stream?: LogStream): Uint8Array {
    const wanted = this.#chunks.filter((chunk) => stream === undefined || chunk.stream === stream);
    return Buffer.concat(wanted.map(({ bytes }) => bytes));
  }
}

export type LogStream = "stdout" | "stderr";
