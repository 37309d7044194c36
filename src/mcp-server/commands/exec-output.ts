// A command's output on its way to the caller of `exec`.
import type { FrameHeader } from "../../vm/wire/frame.ts";
import type { ControlCall } from "../control/methods.ts";
import { type ExecStarted, inputDemand } from "./exec-protocol.ts";

/** Sends in order: the start, then output and demands for input as they come. */
export class ExecOutput {
  readonly #call: ControlCall;
  readonly #begun = Promise.withResolvers<void>();
  #sending: Promise<void> = this.#begun.promise;
  #hasEnded = false;

  constructor(call: ControlCall) {
    this.#call = call;
  }

  /** Rejects when the caller has left. */
  async begin(started: ExecStarted): Promise<void> {
    await this.#call.send({ ...started });
    this.#begun.resolve();
  }

  /** Resolves when the caller has taken it: until then the command may have to wait. */
  async take(stream: "stdout" | "stderr", bytes: Uint8Array): Promise<void> {
    const copy = bytes.slice();
    await this.#queue({ kind: stream }, copy);
  }

  /** Asks for the next piece of input. */
  async demandInput(): Promise<void> {
    await this.#queue(inputDemand);
  }

  /** Resolves when all that has come is sent. */
  async sent(): Promise<void> {
    await this.#sending;
  }

  /** What comes from now on is dropped. */
  end(): void {
    this.#hasEnded = true;
    this.#begun.resolve();
  }

  async #queue(event: FrameHeader, body?: Uint8Array): Promise<void> {
    this.#sending = this.#sending.then(() => this.#send(event, body));
    await this.#sending;
  }

  async #send(event: FrameHeader, body: Uint8Array | undefined): Promise<void> {
    if (this.#hasEnded) return;
    try {
      await this.#call.send(event, body);
    } catch (error) {
      // The caller has left; its call is aborted, and its command stopped.
      if (!(error instanceof Error) || error.name !== "FrameError") throw error;
      this.#hasEnded = true;
    }
  }
}
