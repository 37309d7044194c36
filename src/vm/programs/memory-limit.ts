import type { Sys } from "../../kernel/index.ts";

/** Bytes of data one program holds at most: several fit a cell beside its kernel. */
export const MEMORY_LIMIT = 64 * 1024 * 1024;

/** A program needs more than it may hold; it fails alone. */
export class MemoryLimitError extends Error {
  constructor() {
    super("memory exhausted");
  }
}

/** What a program holds in tables. Says so to the kernel, which kills the largest process where memory is used up. */
export class HeldMemory {
  readonly #sys: Sys;
  readonly #limit: number;
  #bytes = 0;
  #said = 0;

  constructor(sys: Sys, limit = MEMORY_LIMIT) {
    this.#sys = sys;
    this.#limit = limit;
  }

  /** Counts what was added. Fails with a MemoryLimitError. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limit) throw new MemoryLimitError();
  }

  /** Counts what was let go of. */
  release(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** Whether it has changed so much that it is time for `tell`. */
  get isNews(): boolean {
    return Math.abs(this.#bytes - this.#said) > NEWS_BYTES;
  }

  /** Also lets other processes run. */
  async tell(): Promise<void> {
    this.#said = this.#bytes;
    await this.#sys.hold(this.#bytes);
    await this.#sys.schedYield();
  }
}

/** What comes up between two calls of `hold`. */
const NEWS_BYTES = 1024 * 1024;

/** The size to grow a buffer to. Fails with a MemoryLimitError. */
export function grownSize(needed: number, current: number): number {
  if (needed > MEMORY_LIMIT) throw new MemoryLimitError();
  return Math.min(MEMORY_LIMIT, Math.max(needed, current * 2));
}

/** What a program says of input that is nested deeper than its stack reaches. */
export const TOO_DEEP = "nested too deeply";

/** Whether a call failed because there was no stack left: the guest's data is nested too deeply. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}
