import { KernelError } from "../../kernel/index.ts";
import { encodeNumbers, fromAgent, INPUT_WINDOW_BYTES, numberAt, toAgent } from "./agent-frames.ts";
import { ByteQueue } from "./byte-queue.ts";

/** Sends one frame for a channel. */
export type SendFrame = (kind: number, payload: Uint8Array) => void;

/**
 * One process of a sandbox, or one connection out of it, as the agent carries it: input within the window
 * that the agent keeps, output and errors within what their readers grant.
 */
export class AgentChannel {
  readonly output: ByteQueue;
  readonly errors: ByteQueue;
  readonly #send: SendFrame;
  #window = INPUT_WINDOW_BYTES;
  #isInputClosed = false;
  readonly #waiting: (() => void)[] = [];

  constructor(send: SendFrame) {
    this.#send = send;
    this.output = this.#makeQueue(OUTPUT);
    this.errors = this.#makeQueue(ERRORS);
  }

  /** Resolves when the agent has room for more. EPIPE when nobody reads it. */
  async writeInput(bytes: Uint8Array): Promise<void> {
    let rest = bytes;
    for (;;) {
      if (this.#isInputClosed) throw new KernelError("EPIPE");
      const run = rest.subarray(0, this.#window);
      if (run.length > 0) {
        this.#window -= run.length;
        this.#send(toAgent.input, run);
        rest = rest.subarray(run.length);
      }
      if (rest.length === 0 && this.#window > 0) return;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (rest.length === 0) return;
    }
  }

  endInput(): void {
    if (this.#isInputClosed) return;
    this.#isInputClosed = true;
    this.#send(toAgent.inputEnd, new Uint8Array(0));
    this.#wakeWriters();
  }

  /** What the agent said of this channel; frames of other kinds are the owner's. */
  take(kind: number, payload: Uint8Array): void {
    if (kind === fromAgent.output) this.output.push(payload);
    else if (kind === fromAgent.errors) this.errors.push(payload);
    else if (kind === fromAgent.outputEnd) this.output.end();
    else if (kind === fromAgent.errorsEnd) this.errors.end();
    else if (kind === fromAgent.inputGrant) this.#widen(numberAt(payload, 0));
    else if (kind === fromAgent.inputClosed) this.#closeInput();
  }

  /** Nothing comes any more: the agent is gone, or done with it. */
  end(): void {
    this.#closeInput();
    this.output.end();
    this.errors.end();
  }

  #widen(bytes: number): void {
    this.#window = Math.min(this.#window + bytes, INPUT_WINDOW_BYTES);
    this.#wakeWriters();
  }

  #closeInput(): void {
    this.#isInputClosed = true;
    this.#wakeWriters();
  }

  #wakeWriters(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #makeQueue(stream: number): ByteQueue {
    return new ByteQueue(
      (bytes) => this.#send(toAgent.grant, encodeNumbers(stream, bytes)),
      () => this.#send(toAgent.close, encodeNumbers(stream)),
    );
  }
}

/** The streams' numbers in frames. */
const OUTPUT = 1;
const ERRORS = 2;
