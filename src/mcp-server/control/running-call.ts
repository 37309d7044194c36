// A call on its way, as the command that made it sees it. Runs on Node 20.
import type { FrameHeader } from "../../vm/wire/frame.ts";
import { type CallerMessage, inputCost, inputWindow } from "./messages.ts";

/**
 * A call that failed. `code` is a HostError's, or KERNEL_ERROR, METHOD_NOT_FOUND, CANCELLED, INTERNAL,
 * or SERVER_LOST.
 */
export class ControlError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "ControlError";
    this.code = code;
  }
}

export type SendMessage = (message: CallerMessage, body?: Uint8Array) => Promise<void>;

/** A call that runs on the server. The client that made it settles it. */
export class RunningCall {
  /** What the method returned. Rejects with ControlError. */
  readonly result: Promise<unknown>;

  readonly #call: number;
  readonly #sendMessage: SendMessage;
  #resolve: ((result: unknown) => void) | undefined;
  #reject: ((error: ControlError) => void) | undefined;
  #isOver = false;
  #inputCost = 0;
  #waiters: (() => void)[] = [];

  constructor(call: number, sendMessage: SendMessage) {
    this.#call = call;
    this.#sendMessage = sendMessage;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever made the call may still be sending input when it fails, and look at the result later.
    this.result.catch(() => undefined);
  }

  /** Sends input to the method; waits while it takes none. Input for a call that is over is dropped. */
  async send(event: FrameHeader, body?: Uint8Array): Promise<void> {
    while (this.#inputCost >= inputWindow && !this.#isOver) {
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
    if (this.#isOver) return;
    this.#inputCost += inputCost(body);
    await this.#sendMessage({ type: "input", call: this.#call, event }, body);
  }

  /** Says that no more input comes. */
  async endInput(): Promise<void> {
    if (!this.#isOver) await this.#sendMessage({ type: "inputEnd", call: this.#call });
  }

  /** Aborts the method's signal; `result` settles when the method has. */
  async cancel(): Promise<void> {
    if (!this.#isOver) await this.#sendMessage({ type: "cancel", call: this.#call });
  }

  /** The method has taken input of this cost. */
  noteTaken(cost: number): void {
    this.#inputCost -= cost;
    this.#wakeSenders();
  }

  succeed(result: unknown): void {
    this.#isOver = true;
    this.#resolve?.(result);
    this.#wakeSenders();
  }

  fail(error: ControlError): void {
    this.#isOver = true;
    this.#reject?.(error);
    this.#wakeSenders();
  }

  #wakeSenders(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}
