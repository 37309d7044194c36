import type { Run } from "./program.ts";
import type { Range } from "./ranges.ts";

const CHUNK_BYTES = 65_536;

/** Prints chosen bytes of lines, of which none needs to fit memory. */
export class ByteCutter {
  readonly #run: Run;
  readonly #ranges: readonly Range[];
  /** Stands between ranges. */
  readonly #between: Uint8Array | undefined;
  readonly #buffer = new Uint8Array(CHUNK_BYTES);
  /** Bytes of the line passed, and the range they have reached. */
  #passed = 0;
  #range = 0;

  constructor(run: Run, ranges: readonly Range[], between: Uint8Array | undefined) {
    this.#run = run;
    this.#ranges = ranges;
    this.#between = between;
  }

  async cut(fd: number, end: number): Promise<void> {
    const { sys, out } = this.#run;
    for (;;) {
      const count = await sys.read(fd, this.#buffer);
      if (count === 0) break;
      this.#cutChunk(this.#buffer.subarray(0, count), end);
      if (out.isFull) await out.flush();
    }
    if (this.#passed > 0) this.#endLine(end);
  }

  #cutChunk(chunk: Uint8Array, end: number): void {
    for (let from = 0; from < chunk.length; ) {
      const stop = chunk.indexOf(end, from);
      this.#cutPart(chunk, from, stop === -1 ? chunk.length : stop);
      if (stop === -1) return;
      this.#endLine(end);
      from = stop + 1;
    }
  }

  #cutPart(chunk: Uint8Array, start: number, stop: number): void {
    const reached = this.#passed + stop - start;
    for (; ; this.#range++) {
      const range = this.#ranges[this.#range];
      if (range === undefined || range.from > reached) break;
      const first = Math.max(range.from - 1, this.#passed);
      const last = Math.min(range.to, reached);
      const isStart = first === range.from - 1 && last > first;
      if (isStart && this.#range > 0 && this.#between !== undefined)
        this.#run.out.add(this.#between);
      const shift = start - this.#passed;
      this.#run.out.add(chunk.subarray(first + shift, last + shift));
      if (range.to > reached) break;
    }
    this.#passed = reached;
  }

  #endLine(end: number): void {
    this.#run.out.addByte(end);
    this.#passed = 0;
    this.#range = 0;
  }
}
