import { type Errno, KernelError } from "../../../kernel/index.ts";
import { type Deferred, defer } from "../../deferred.ts";

type Result = IteratorResult<Uint8Array, undefined>;

const done: Result = { done: true, value: undefined };

/**
 * The input of one run: a chunk is asked of the VM for each that somebody waits for. One reader that
 * stops leaves the rest to the next.
 */
export class InputAsks implements AsyncIterable<Uint8Array> {
  readonly #wanted: () => void;
  readonly #askers: Deferred<Result>[] = [];
  readonly #chunks: Uint8Array[] = [];
  /** The VM has been told to read, and has not answered. */
  #isOwed = false;
  /** What comes after all chunks. */
  #last: (() => Promise<Result>) | undefined;

  constructor(wanted: () => void) {
    this.#wanted = wanted;
  }

  /** Whether the VM is to read. */
  get isWanted(): boolean {
    return this.#askers.length > 0 && !this.#isOwed && this.#last === undefined;
  }

  get isOwed(): boolean {
    return this.#isOwed;
  }

  /** The VM is told now. */
  ask(): void {
    this.#isOwed = true;
  }

  /** What the VM has read. */
  feed(bytes: Uint8Array, isEnd: boolean, errno: Errno | undefined): void {
    this.#isOwed = false;
    if (bytes.length > 0) this.#give(bytes);
    if (errno !== undefined) this.#fail(new KernelError(errno));
    else if (isEnd) this.end();
  }

  /** No more comes. */
  end(): void {
    this.#finish(async () => done);
  }

  /** The process is gone: readers fail, from the first that waits on. */
  abort(reason: Error): void {
    this.#chunks.length = 0;
    this.#last = undefined;
    this.#finish(() => Promise.reject(reason));
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return { next: () => handled(this.#next()), return: async () => done };
  }

  async #next(): Promise<Result> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) return { done: false, value: chunk };
    if (this.#last !== undefined) return this.#last();
    const asker = defer<Result>();
    this.#askers.push(asker);
    if (this.isWanted) this.#wanted();
    return asker.promise;
  }

  #give(bytes: Uint8Array): void {
    const asker = this.#askers.shift();
    if (asker === undefined) this.#chunks.push(bytes);
    else asker.resolve({ done: false, value: bytes });
  }

  /** A read failed: said once, then it is the end. */
  #fail(error: KernelError): void {
    const asker = this.#askers.shift();
    if (asker === undefined) {
      this.#finish(() => {
        this.#last = async () => done;
        return Promise.reject(error);
      });
      return;
    }
    asker.reject(error);
    this.end();
  }

  #finish(last: () => Promise<Result>): void {
    if (this.#last !== undefined) return;
    this.#last = last;
    for (const asker of this.#askers.splice(0)) asker.resolve(last());
  }
}

/** A failure that nobody waits for must not end the server. */
function handled(result: Promise<Result>): Promise<Result> {
  result.catch(() => undefined);
  return result;
}
