/** Bytes of data one program holds at most: several fit a cell beside its kernel. */
export const MEMORY_LIMIT = 64 * 1024 * 1024;

/** A program needs more than it may hold; it fails alone. */
export class MemoryLimitError extends Error {
  constructor() {
    super("memory exhausted");
  }
}

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
