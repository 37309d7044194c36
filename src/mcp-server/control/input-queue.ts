// Input on its way from a control connection into a method.
import type { ControlInput } from "./methods.ts";

/**
 * A queue of one: `push` waits until what it brought was taken, which stops the connection from being
 * read. One consumer, which may leave early; after that, and after `end`, pushes are dropped.
 */
export class InputQueue implements AsyncIterable<ControlInput> {
  #waiting: { readonly input: ControlInput; readonly taken: () => void } | undefined;
  #hasEnded = false;
  #wake: (() => void) | undefined;

  async push(input: ControlInput): Promise<void> {
    if (this.#hasEnded) return;
    await new Promise<void>((taken) => {
      this.#waiting = { input, taken };
      this.#wake?.();
    });
  }

  /** No more input comes; what waits is dropped only when the consumer has left. */
  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  /** The consumer is gone: releases who waits in `push`. */
  discard(): void {
    this.end();
    this.#waiting?.taken();
    this.#waiting = undefined;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<ControlInput> {
    for (;;) {
      const next = this.#waiting;
      if (next !== undefined) {
        this.#waiting = undefined;
        next.taken();
        yield next.input;
        continue;
      }
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
