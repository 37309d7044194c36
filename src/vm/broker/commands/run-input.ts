import { z } from "zod";
import { KernelError } from "../../../kernel/index.ts";
import type { StreamReceiver } from "../../../streams/index.ts";
import { errno } from "../../wire/shapes.ts";

type Result = IteratorResult<Uint8Array, undefined>;

const done: Result = { done: true, value: undefined };
/** What a cell ends the input with when reading it failed. */
const failure = z.object({ errno });

/**
 * The input of one run: the VM is asked for a piece whenever somebody waits for one. A reader that
 * stops leaves the rest to the next.
 */
export class RunInput implements AsyncIterable<Uint8Array> {
  readonly #incoming: StreamReceiver;
  #failure: Error | undefined;
  #abortReason: Error | undefined;

  constructor(incoming: StreamReceiver) {
    this.#incoming = incoming;
  }

  /** No more is read. */
  end(): void {
    this.#incoming.stop();
  }

  /** The process is gone: readers fail, from the first that waits on. */
  abort(reason: Error): void {
    this.#abortReason = reason;
    this.#incoming.stop();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return { next: () => handled(this.#next()), return: async () => done };
  }

  async #next(): Promise<Result> {
    const piece = await this.#incoming.next();
    if (this.#abortReason !== undefined) throw this.#abortReason;
    if (piece !== undefined) return { done: false, value: piece };
    const error = this.#readFailure();
    if (error !== undefined) throw error;
    return done;
  }

  /** A read failed in the VM: said once, then it is the end. */
  #readFailure(): Error | undefined {
    const found = failure.safeParse(this.#incoming.endValue);
    if (!found.success || this.#failure !== undefined) return undefined;
    this.#failure = new KernelError(found.data.errno);
    return this.#failure;
  }
}

/** A failure that nobody waits for must not end the server. */
function handled(result: Promise<Result>): Promise<Result> {
  result.catch(() => undefined);
  return result;
}
