// One write to a compression stream. Its input goes to the kernel once; what comes back goes where the caller wants it.
import { CallError, call } from "../../channel.ts";
import { request } from "../../requests.ts";

/** Input of one call at most; a message has its limit. */
const PIECE_BYTES = 32 * 1024 * 1024;

export interface WriteRequest {
  readonly flush: number;
  readonly input: ArrayBufferView | null;
  readonly inOff: number;
  readonly inLen: number;
  readonly output: ArrayBufferView;
  readonly outOff: number;
  readonly outLen: number;
}

export interface WriteOutcome {
  readonly availOut: number;
  readonly availIn: number;
  readonly failure?: [message: string, errno: number, code: string];
}

export class CompressionWrite {
  readonly #id: number;
  #request: WriteRequest | undefined;
  /** Bytes of the request that are used, and made. */
  #used = 0;
  #made = 0;
  /** Of what the kernel has: how much it has not used, and where that is. */
  #held = 0;
  #source: ArrayBufferView | null = null;
  #sourceAt = 0;

  constructor(id: number) {
    this.#id = id;
  }

  begin(wanted: WriteRequest): void {
    this.#request = wanted;
    this.#used = 0;
    this.#made = 0;
    const goesOn =
      this.#held > 0 && wanted.input === this.#source && wanted.inOff === this.#sourceAt;
    if (!goesOn || this.#held > wanted.inLen) this.forget();
  }

  /** The kernel has nothing of ours. */
  forget(): void {
    this.#held = 0;
    this.#source = null;
  }

  runNow(): WriteOutcome {
    for (;;) {
      const outcome = this.#take(answered(() => call("zlibWrite", ...this.#args())));
      if (outcome !== undefined) return outcome;
    }
  }

  start(done: (outcome: WriteOutcome) => void): void {
    request("zlibWrite", this.#args(), (error, answer) => {
      const outcome = this.#take(error === undefined ? answer : failed(error));
      if (outcome === undefined) this.start(done);
      else done(outcome);
    });
  }

  #now(): WriteRequest {
    if (this.#request === undefined) throw new Error("no write");
    return this.#request;
  }

  #args(): any[] {
    const { flush, input, inOff, inLen, outLen } = this.#now();
    const room = outLen - this.#made;
    const left = inLen - this.#used;
    if (this.#held > 0) {
      const isLast = this.#held === left;
      return [this.#id, isLast ? flush : 0, undefined, room];
    }
    const size = input === null ? 0 : Math.min(left, PIECE_BYTES);
    const piece =
      input === null
        ? new Uint8Array(0)
        : new Uint8Array(input.buffer, input.byteOffset + inOff + this.#used, size);
    this.#held = size;
    this.#source = input;
    return [this.#id, size === left || input === null ? flush : 0, piece, room];
  }

  /** The outcome, or undefined where the write goes on. */
  #take(answer: any): WriteOutcome | undefined {
    const { inOff, inLen, output, outOff, outLen, input } = this.#now();
    if (!Array.isArray(answer)) {
      this.forget();
      return { availOut: 0, availIn: 0, failure: answer.failed };
    }
    const [availOut, availIn, bytes] = answer as [number, number, Uint8Array];
    new Uint8Array(output.buffer, output.byteOffset, output.byteLength).set(
      bytes,
      outOff + this.#made,
    );
    this.#made += bytes.length;
    this.#used += this.#held - availIn;
    this.#held = availIn;
    this.#sourceAt = inOff + this.#used;
    const left = input === null ? 0 : inLen - this.#used;
    const hasRoom = this.#made < outLen;
    const isMore = availOut === 0 ? hasRoom : availIn === 0 && left > 0;
    if (isMore) return undefined;
    return { availOut: outLen - this.#made, availIn: left };
  }
}

function answered(run: () => any): any {
  try {
    return run();
  } catch (error) {
    if (error instanceof CallError) return failed(error);
    throw error;
  }
}

function failed(error: CallError): any {
  return { failed: [`Compression failed: ${error.code}`, -2, "Z_STREAM_ERROR"] };
}
