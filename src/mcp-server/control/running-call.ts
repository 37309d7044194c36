// A call on its way, as the command that made it sees it. Runs on Node 20.
import { type Stream, StreamStopped, type TakePiece } from "../../streams/index.ts";

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

/** How a call ended: its result, or why there is none. */
export type Outcome = { readonly result: unknown } | { readonly error: ControlError };

export interface RunningCallParts {
  readonly stream: Stream;
  /** Takes the call's output. */
  readonly take: TakePiece;
  /** Asks the server to abort the method. */
  readonly cancel: () => void;
}

/** A call that runs on the server. The client that made it ends it. */
export class RunningCall {
  /**
   * What the method returned, after all of its output was taken. Rejects with ControlError, or with what
   * the taking of its output failed with.
   */
  readonly result: Promise<unknown>;

  readonly #stream: Stream;
  readonly #cancel: () => void;
  #resolve: ((result: unknown) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;
  #outcome: Outcome | undefined;
  #isOutputTaken = false;

  constructor({ stream, take, cancel }: RunningCallParts) {
    this.#stream = stream;
    this.#cancel = cancel;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever made the call may still be sending input when it fails, and look at the result later.
    this.result.catch(() => undefined);
    stream.incoming.consume({
      take,
      ended: () => {
        this.#isOutputTaken = true;
        this.#settle();
      },
      failed: (error) => {
        this.#reject?.(error);
        this.cancel();
      },
    });
  }

  /** Sends input to the method; waits while it takes none. Input for a call that takes no more is dropped. */
  async write(bytes: Uint8Array, tag: number): Promise<void> {
    await ignoreStop(this.#stream.outgoing.write(bytes, tag));
  }

  /** Resolves when there is room for input: to false when the method takes no more. */
  async awaitsInput(): Promise<boolean> {
    await ignoreStop(this.#stream.outgoing.untilRoom());
    return this.#stream.outgoing.room > 0;
  }

  /** Says that no more input comes, behind what is being written. */
  async endInput(): Promise<void> {
    await this.#stream.outgoing.finish();
  }

  /** Aborts the method's signal; `result` settles when the method has. */
  cancel(): void {
    if (this.#outcome === undefined) this.#cancel();
  }

  /** The call is over: nothing more comes or goes. `result` settles when the output that came is taken. */
  end(outcome: Outcome): void {
    this.#outcome ??= outcome;
    this.#stream.lose();
    this.#settle();
  }

  #settle(): void {
    if (this.#outcome === undefined || !this.#isOutputTaken) return;
    if ("error" in this.#outcome) this.#reject?.(this.#outcome.error);
    else this.#resolve?.(this.#outcome.result);
  }
}

async function ignoreStop(written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!(error instanceof StreamStopped)) throw error;
  }
}
