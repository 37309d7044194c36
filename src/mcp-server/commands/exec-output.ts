// A command's output on its way to the caller of `exec`.
import type { ControlCall } from "../control/methods.ts";
import type { ExecStarted } from "./exec-protocol.ts";

/** Sends in order: the start, then output as it comes. */
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
    this.#sending = this.#sending.then(() => this.#send(stream, copy));
    await this.#sending;
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

  async #send(stream: string, bytes: Uint8Array): Promise<void> {
    if (this.#hasEnded) return;
    try {
      await this.#call.send({ kind: stream }, bytes);
    } catch (error) {
      // The caller has left; its call is aborted, and its command stopped.
      if (!(error instanceof Error) || error.name !== "FrameError") throw error;
      this.#hasEnded = true;
    }
  }
}
