// The host's stdout and stderr, as fast as they are read. Runs on Node 20.
import type { Writable } from "node:stream";

/** Writes to both; after one of them fails, everything is dropped and `onLost` has been called once. */
export class OutputPipe {
  readonly #onLost: () => void;
  readonly #waiting = new Set<() => void>();
  #isLost = false;

  constructor(onLost: () => void) {
    this.#onLost = onLost;
    for (const stream of [process.stdout, process.stderr]) stream.on("error", () => this.#lose());
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Resolves when more may come. */
  async write(kind: unknown, bytes: Uint8Array): Promise<void> {
    if (this.#isLost) return;
    const stream: Writable = kind === "stderr" ? process.stderr : process.stdout;
    if (stream.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        stream.off("drain", done);
        resolve();
      };
      this.#waiting.add(done);
      stream.once("drain", done);
    });
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    for (const wake of [...this.#waiting]) wake();
    this.#onLost();
  }
}
