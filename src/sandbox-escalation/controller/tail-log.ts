/** The newest output of a process. What it holds grows neither with how little comes at once nor with who else writes. */
export class TailLog {
  readonly #limitBytes: number;
  readonly #runs: Run[] = [];
  #size = 0;
  /** All bytes that ever came. */
  total = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  add(stream: LogStream, bytes: Uint8Array): void {
    this.total += bytes.length;
    if (bytes.length === 0) return;
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#limitBytes));
    const last = this.#runs.at(-1);
    if (last?.stream === stream && last.end + kept.length <= RUN_BYTES) append(last, kept);
    // A copy: what came may be a part of something large.
    else this.#runs.push({ stream, bytes: new Uint8Array(kept), from: 0, end: kept.length });
    this.#size += kept.length;
    this.#letGo();
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
    const wanted = this.#runs.filter((run) => stream === undefined || run.stream === stream);
    return Buffer.concat(wanted.map(({ bytes, from, end }) => bytes.subarray(from, end)));
  }

  #letGo(): void {
    for (let first = this.#runs[0]; first !== undefined; first = this.#runs[0]) {
      const isOver = this.#runs.length > RUNS_LIMIT;
      const excess = isOver ? RUN_BYTES : this.#size - this.#limitBytes;
      if (excess <= 0) return;
      const count = Math.min(excess, first.end - first.from);
      first.from += count;
      this.#size -= count;
      if (first.from === first.end) this.#runs.shift();
    }
  }
}

export type LogStream = "stdout" | "stderr";

/** What came from one stream without anything of the other between. */
interface Run {
  readonly stream: LogStream;
  bytes: Uint8Array;
  from: number;
  end: number;
}

const RUN_BYTES = 16_384;
/** A process that changes streams with every byte keeps less. */
const RUNS_LIMIT = 4096;

function append(run: Run, bytes: Uint8Array): void {
  const end = run.end + bytes.length;
  if (end > run.bytes.length) {
    const grown = new Uint8Array(Math.min(RUN_BYTES, end * 2));
    grown.set(run.bytes);
    run.bytes = grown;
  }
  run.bytes.set(bytes, run.end);
  run.end = end;
}
