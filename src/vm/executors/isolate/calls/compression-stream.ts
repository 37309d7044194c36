// One stream of Node's zlib binding, with the rules that Node's library keeps: one write at a time, none after the end.
import { KernelError } from "../../../../kernel/index.ts";
import { callableOf } from "../node-internals.ts";

/** Output of one write at most. */
const OUTPUT_LIMIT = 4 * 1024 * 1024;

/** Words, zlib's number, and Node's code, as the binding's onerror gets them. */
export type StreamFailure = readonly [message: string, errno: number, code: string];

/** Among the arguments of init: where the stream puts its own. */
export const place = { state: Symbol("state"), callback: Symbol("callback") } as const;

export interface Written {
  readonly availOut: number;
  readonly availIn: number;
  readonly output: Uint8Array;
  readonly failure?: StreamFailure;
}

export class CompressionStream {
  readonly #handle: object;
  /** Room and input left after a write; the binding writes them here. */
  readonly #state = new Uint32Array(2);
  #input = Buffer.alloc(0);
  #done: ((failure: StreamFailure | undefined) => void) | undefined;
  #failure: StreamFailure | undefined;
  #isClosed = false;

  constructor(handle: object) {
    this.#handle = handle;
    Reflect.set(handle, "onerror", (message: string, errno: number, code: string) => {
      this.#failure = [message, errno, code];
      this.#finish();
    });
  }

  init(args: readonly unknown[]): void {
    const places = new Map<unknown, unknown>([
      [place.state, this.#state],
      [place.callback, () => this.#finish()],
    ]);
    const values = args.map((arg) => places.get(arg) ?? arg);
    Reflect.apply(callableOf(this.#handle, "init"), this.#handle, values);
  }

  /** Input undefined: what is left of the last one. Null: none. */
  async write(flush: number, input: Uint8Array | null | undefined, room: number): Promise<Written> {
    this.#mustBeFree();
    if (room < 0) throw new KernelError("EINVAL");
    if (input !== undefined) this.#input = Buffer.from(input ?? []);
    const output = Buffer.allocUnsafeSlow(Math.min(room, OUTPUT_LIMIT));
    const done = Promise.withResolvers<StreamFailure | undefined>();
    this.#done = done.resolve;
    const given = [flush, this.#input, 0, this.#input.length, output, 0, output.length];
    Reflect.apply(callableOf(this.#handle, "write"), this.#handle, given);
    const failure = await done.promise;
    const [availOut = 0, availIn = 0] = this.#state;
    if (failure !== undefined) return { availOut: 0, availIn: 0, output, failure };
    this.#input = this.#input.subarray(this.#input.length - availIn);
    return { availOut, availIn, output: output.subarray(0, output.length - availOut) };
  }

  params(level: number, strategy: number): StreamFailure | undefined {
    return this.#control("params", [level, strategy]);
  }

  reset(): StreamFailure | undefined {
    return this.#control("reset", []);
  }

  #control(method: string, args: readonly unknown[]): StreamFailure | undefined {
    this.#mustBeFree();
    this.#failure = undefined;
    Reflect.apply(callableOf(this.#handle, method), this.#handle, args);
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    Reflect.apply(callableOf(this.#handle, "close"), this.#handle, []);
  }

  #mustBeFree(): void {
    if (this.#isClosed || this.#done !== undefined) throw new KernelError("EBUSY");
  }

  #finish(): void {
    const done = this.#done;
    const failure = this.#failure;
    if (done === undefined) return;
    this.#done = undefined;
    this.#failure = undefined;
    done(failure);
  }
}
