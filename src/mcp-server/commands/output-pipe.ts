// The host's stdout and stderr, as fast as they are read. Runs on Node 20.
import type { Writable } from "node:stream";

/** Why nothing can be written any more. */
export interface OutputLoss {
  /** Whoever read has left, which is no error of theirs. */
  readonly isReaderGone: boolean;
  readonly message: string;
}

/** Writes to both; after one of them fails, everything is dropped and `onLost` has been called once. */
export class OutputPipe {
  readonly #onLost: () => void;
  readonly #waiting = new Set<() => void>();
  #loss: OutputLoss | undefined;

  constructor(onLost: () => void) {
    this.#onLost = onLost;
    for (const stream of [process.stdout, process.stderr])
      stream.on("error", (error) => this.#lose(error));
  }

  /** Undefined while both are there. */
  get loss(): OutputLoss | undefined {
    return this.#loss;
  }

  /** Copies the bytes. Returns a promise, which resolves when more may come, only where they have to wait. */
  write(to: "stdout" | "stderr", bytes: Uint8Array): void | Promise<void> {
    if (this.#loss !== undefined) return undefined;
    const stream: Writable = process[to];
    return stream.write(bytes.slice()) ? undefined : this.#untilDrained(stream);
  }

  #untilDrained(stream: Writable): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        stream.off("drain", done);
        resolve();
      };
      this.#waiting.add(done);
      stream.once("drain", done);
    });
  }

  #lose(error: NodeJS.ErrnoException): void {
    if (this.#loss !== undefined) return;
    const isReaderGone = error.code === "EPIPE";
    this.#loss = { isReaderGone, message: error.message };
    for (const wake of [...this.#waiting]) wake();
    this.#onLost();
  }
}
