import { GrowingBytes } from "../../streams/index.ts";

/**
 * Bytes that came from a sandbox and wait to be taken: one reader, who says with each chunk taken how much
 * more may come. The sender never has more in flight than was granted; more than that is refused.
 */
export class ByteQueue implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  /** Small ones that came last, put together: what is held is what was granted, in however many parts it comes. */
  readonly #small = new GrowingBytes();
  readonly #grant: (bytes: number) => void;
  readonly #stop: () => void;
  #granted = 0;
  #received = 0;
  #taken = 0;
  #isEnded = false;
  #isStopped = false;
  #wake: (() => void) | undefined;

  /** `grant` lets that many more bytes come; `stop` says that nobody reads any more. */
  constructor(grant: (bytes: number) => void, stop: () => void) {
    this.#grant = grant;
    this.#stop = stop;
  }

  /** Lets the first bytes come. */
  open(): void {
    this.#granted = WINDOW_BYTES;
    this.#grant(WINDOW_BYTES);
  }

  /** How many bytes have come since it began. */
  get receivedBytes(): number {
    return this.#received;
  }

  /** Throws RangeError when more comes than was granted. */
  push(bytes: Uint8Array): void {
    if (this.#isEnded || bytes.length === 0) return;
    this.#granted -= bytes.length;
    this.#received += bytes.length;
    if (this.#granted < 0) throw new RangeError("the sandbox's agent sent more than it may");
    if (this.#isStopped) this.#take(bytes.length);
    else this.#queue(bytes);
    this.#wakeReader();
  }

  end(): void {
    this.#isEnded = true;
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const chunk = this.#next();
        if (chunk !== undefined) {
          this.#take(chunk.length);
          yield chunk;
        } else if (this.#isEnded) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.#discard();
    }
  }

  /** A small one may be a part of something large: it is copied. */
  #queue(bytes: Uint8Array): void {
    if (this.#small.length + bytes.length > SMALL_BYTES) this.#closeSmall();
    if (bytes.length < SMALL_BYTES) this.#small.add(bytes);
    else this.#chunks.push(bytes);
  }

  #closeSmall(): void {
    if (this.#small.length > 0) this.#chunks.push(this.#small.take());
  }

  #next(): Uint8Array | undefined {
    if (this.#chunks.length === 0) this.#closeSmall();
    return this.#chunks.shift();
  }

  #discard(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#chunks.length = 0;
    this.#small.take();
    if (!this.#isEnded) this.#stop();
  }

  #take(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken < WINDOW_BYTES / 2 || this.#isEnded) return;
    this.#granted += this.#taken;
    this.#grant(this.#taken);
    this.#taken = 0;
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

const SMALL_BYTES = 8192;
/** Held for one stream at most: four of Linux's pipes, see pipe(7). */
const WINDOW_BYTES = 262_144;
