// Input on its way from a control connection into a method.
import { inputCost, inputWindow } from "./messages.ts";
import type { ControlInput } from "./methods.ts";

/** A caller sends when the window has room, however little: one frame may reach beyond it. */
const maxWaitingCost = inputWindow + 1024 * 1024 + 256;

/** A queue for one consumer, bounded by the window the caller keeps to. */
export class InputQueue implements AsyncIterable<ControlInput> {
  readonly #onTaken: (cost: number) => void;
  #waiting: ControlInput[] = [];
  #waitingCost = 0;
  #hasEnded = false;
  #wake: (() => void) | undefined;

  constructor(onTaken: (cost: number) => void) {
    this.#onTaken = onTaken;
  }

  /** Throws when the caller does not keep to the window. */
  push(input: ControlInput): void {
    if (this.#hasEnded) return;
    this.#waitingCost += inputCost(input.body);
    if (this.#waitingCost > maxWaitingCost)
      throw new Error("A control connection sends input without waiting.");
    this.#waiting.push(input);
    this.#wake?.();
  }

  /** No more input comes; what waits can still be taken. */
  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<ControlInput> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        const cost = inputCost(next.body);
        this.#waitingCost -= cost;
        this.#onTaken(cost);
        yield next;
        continue;
      }
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
