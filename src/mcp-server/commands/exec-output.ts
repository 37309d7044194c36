// A command's output on its way to the caller of `exec`.
import { StreamStopped } from "../../streams/index.ts";
import type { ControlCall } from "../control/methods.ts";
import { byteTags, type ExecStarted } from "./exec-protocol.ts";

/** Sends the start first, then output as it comes. */
export class ExecOutput {
  readonly #call: ControlCall;
  readonly #begun = Promise.withResolvers<void>();

  constructor(call: ControlCall) {
    this.#call = call;
  }

  /** Rejects when the caller has left. */
  async begin(started: ExecStarted): Promise<void> {
    await this.#call.tell(started);
    this.#begun.resolve();
  }

  /** Resolves when the bytes are sent: until then the command may have to wait. */
  async take(stream: "stdout" | "stderr", bytes: Uint8Array): Promise<void> {
    await this.#begun.promise;
    try {
      await this.#call.output.write(bytes, byteTags[stream]);
    } catch (error) {
      // The caller has left, or has its answer: background processes may write after it.
      if (!(error instanceof StreamStopped)) throw error;
    }
  }

  /** Resolves when all that has come is sent. What comes from now on is dropped. */
  async finish(): Promise<void> {
    await this.#call.output.finish();
  }

  /** What comes from now on is dropped, and what waits. */
  end(): void {
    this.#call.output.end();
    this.#begun.resolve();
  }
}
