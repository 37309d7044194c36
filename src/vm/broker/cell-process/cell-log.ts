// What a cell writes to stdout and stderr, cut into lines for the server's log. A cell is hostile: a
// line has a limit, and so has everything it ever writes.
import type { Readable } from "node:stream";

export type LogLine = (line: string) => void;

/** Longer lines are cut here. */
const LINE_LIMIT = 2_000;
/** After this many bytes in a cell's life its log is closed; its writes then fail, it goes on. */
const LOG_LIMIT_BYTES = 1024 * 1024;

/** What is still in the socket when the process has ended is waited for this long. */
const DRAIN_LIMIT_MS = 200;

export class CellLog {
  /** V8 says so before it aborts for want of heap. */
  saysHeapIsFull = false;
  readonly #source: Readable;
  readonly #closed: Promise<void>;
  readonly #onLine: LogLine | undefined;
  #rest = "";
  #bytes = 0;

  constructor(source: Readable, onLine: LogLine | undefined) {
    this.#onLine = onLine;
    this.#source = source;
    const decoder = new TextDecoder();
    source.on("data", (chunk: Uint8Array) => {
      this.#bytes += chunk.length;
      this.#take(decoder.decode(chunk, { stream: true }));
      if (this.#bytes <= LOG_LIMIT_BYTES) return;
      this.#rest = "";
      this.#emit(`the log is closed after ${LOG_LIMIT_BYTES} bytes`);
      source.destroy();
    });
    this.#closed = new Promise((resolve) => {
      source.on("error", (error) => this.#emit(`the log cannot be read: ${error.message}`));
      source.on("close", () => {
        if (this.#rest !== "") this.#emit(this.#rest);
        this.#rest = "";
        resolve();
      });
    });
  }

  /** Called when the process has ended: delivers its last lines, then lets go of the stream. */
  async finish(): Promise<void> {
    const giveUp = setTimeout(() => this.#source.destroy(), DRAIN_LIMIT_MS);
    await this.#closed;
    clearTimeout(giveUp);
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, LINE_LIMIT);
    for (const line of lines) this.#emit(line);
  }

  #emit(line: string): void {
    if (fullHeapWords.some((words) => line.includes(words))) this.saysHeapIsFull = true;
    this.#onLine?.(line.slice(0, LINE_LIMIT));
  }
}

/** Of Node, and of isolated-vm for a guest's isolate. */
const fullHeapWords = ["heap out of memory", "Reached heap limit", "is_heap_oom = 1"];
