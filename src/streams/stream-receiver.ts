import { GrowingBytes } from "./growing-bytes.ts";
import { StreamBreach } from "./stream-breach.ts";

/** How a receiver reaches the other side. Neither call waits. */
export interface ReceiverLink {
  readonly grant: (bytes: number) => void;
  readonly stop: () => void;
}

export interface ReceiverOptions {
  /** What may come before more is granted; the sender knows this number. */
  readonly creditBytes: number;
  /** What may be under way at one time. */
  readonly windowBytes: number;
  /** Credit that a piece takes besides its bytes. */
  readonly pieceCostBytes: number;
  /** Nothing is granted until somebody waits, and then one piece. */
  readonly isOnDemand: boolean;
}

/**
 * Takes one piece. The bytes are good until it returns; what it keeps it copies. While a promise it
 * returned is pending, the next pieces wait, and then the sender.
 */
export type TakePiece = (bytes: Uint8Array, tag: number) => void | Promise<void>;

export interface Consumer {
  readonly take: TakePiece;
  /** Called once after the last piece was taken, with the value that the sender ended with. */
  readonly ended: (value: unknown) => void;
  /** `take` failed; the stream is stopped. */
  readonly failed: (error: unknown) => void;
}

interface Held {
  readonly bytes: GrowingBytes;
  readonly tag: number;
  cost: number;
}

/** Pieces of less are put together while they wait. */
const SMALL_BYTES = 8192;

/**
 * The receiving half of a stream: hands pieces on in order, to a consumer or to whoever asks for the
 * next, and grants more as they are taken. What it holds is bounded by what it granted.
 */
export class StreamReceiver implements AsyncIterable<Uint8Array> {
  readonly #link: ReceiverLink;
  readonly #options: ReceiverOptions;
  readonly #over: () => void;
  readonly #held: Held[] = [];
  readonly #waiting: (() => void)[] = [];
  #consumer: Consumer | undefined;
  /** The consumer has returned a promise that is pending. */
  #isBusy = false;
  #isOpened = false;
  #granted: number;
  /** Taken and not granted again yet. */
  #taken = 0;
  #received = 0;
  #end: { readonly value: unknown } | undefined;
  #isStopped = false;

  /** `over` is called once, when nothing more is taken. */
  constructor(link: ReceiverLink, options: ReceiverOptions, over: () => void = () => undefined) {
    this.#link = link;
    this.#options = options;
    this.#over = over;
    this.#granted = options.creditBytes;
  }

  /** Lets a window come, where the sender begins without credit. Opening again does nothing. */
  open(): void {
    if (this.#isOpened) return;
    this.#isOpened = true;
    const { windowBytes } = this.#options;
    this.#granted += windowBytes;
    this.#link.grant(windowBytes);
  }

  /** How many bytes have come since it began. */
  get receivedBytes(): number {
    return this.#received;
  }

  /** What the sender ended with; undefined before, too. */
  get endValue(): unknown {
    return this.#end?.value;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** What the sender may still have under way. */
  get grantedBytes(): number {
    return this.#granted;
  }

  /**
   * A piece has come; once the stream is stopped it is dropped. Throws StreamBreach when it is more than was
   * granted, stopped or not: a sender has nothing left to send after its end.
   */
  push(bytes: Uint8Array, tag = 0): void {
    const { pieceCostBytes, isOnDemand } = this.#options;
    const cost = bytes.length + pieceCostBytes;
    if (cost > this.#granted) throw new StreamBreach("a stream carried more than was granted");
    this.#granted = isOnDemand ? 0 : this.#granted - cost;
    if (this.#isStopped || this.#end !== undefined) return;
    this.#received += bytes.length;
    const isNext = this.#consumer !== undefined && !this.#isBusy && this.#held.length === 0;
    if (isNext) this.#hand(bytes, tag, cost);
    else this.#hold(bytes, tag, cost);
    this.#wake();
    this.#drain();
  }

  /** The sender has ended. Ending again does nothing. */
  end(value?: unknown): void {
    this.#granted = 0;
    this.cut(value);
  }

  /** Nothing more is taken, though the sender may have some under way. */
  cut(value?: unknown): void {
    if (this.#isStopped || this.#end !== undefined) return;
    this.#end = { value };
    this.#wake();
    this.#drain();
  }

  /** Hands every piece to the consumer, from those that wait on. */
  consume(consumer: Consumer): void {
    this.#consumer = consumer;
    this.#drain();
  }

  /** The next piece; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const held = this.#held.shift();
      if (held !== undefined) {
        this.#release(held.cost);
        return held.bytes.take();
      }
      if (this.#end !== undefined || this.#isStopped) {
        this.#finish();
        return undefined;
      }
      this.#demand();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Every piece to the end; leaving the loop stops the stream. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (let piece = await this.next(); piece !== undefined; piece = await this.next()) {
        yield piece;
      }
    } finally {
      this.stop();
    }
  }

  /** Nobody reads any more: the sender is told, and what comes is dropped. */
  stop(): void {
    if (this.#isStopped) return;
    const hasEnded = this.#end !== undefined;
    this.#isStopped = true;
    this.#held.length = 0;
    if (!hasEnded) this.#link.stop();
    this.#wake();
    this.#over();
  }

  #drain(): void {
    const consumer = this.#consumer;
    if (consumer === undefined) return;
    while (!this.#isBusy && !this.#isStopped) {
      const held = this.#held.shift();
      if (held === undefined) break;
      this.#hand(held.bytes.take(), held.tag, held.cost);
    }
    if (this.#isBusy || this.#isStopped || this.#end === undefined) return;
    this.#finish();
    consumer.ended(this.#end.value);
  }

  #hand(bytes: Uint8Array, tag: number, cost: number): void {
    this.#isBusy = true;
    try {
      const pending = this.#consumer?.take(bytes, tag);
      if (pending === undefined) this.#handed(cost);
      else this.#await(pending, cost);
    } catch (error) {
      this.#fail(error);
    }
  }

  #await(pending: Promise<void>, cost: number): void {
    pending
      .then(() => {
        this.#handed(cost);
        this.#drain();
      })
      .catch((error: unknown) => this.#fail(error));
  }

  #handed(cost: number): void {
    this.#isBusy = false;
    this.#release(cost);
  }

  #fail(error: unknown): void {
    this.stop();
    this.#consumer?.failed(error);
  }

  /** Copies: the bytes are somebody else's, and may be a part of something large. */
  #hold(bytes: Uint8Array, tag: number, cost: number): void {
    const last = this.#held.at(-1);
    const isSmall = last !== undefined && last.bytes.length + bytes.length <= SMALL_BYTES;
    if (isSmall && last.tag === tag) {
      last.bytes.add(bytes);
      last.cost += cost;
      return;
    }
    const held = new GrowingBytes();
    held.add(bytes);
    this.#held.push({ bytes: held, tag, cost });
  }

  #demand(): void {
    const { isOnDemand, windowBytes } = this.#options;
    if (!isOnDemand || this.#granted > 0) return;
    this.#granted = windowBytes;
    this.#link.grant(windowBytes);
  }

  /** Half a window at a time: a sender that keeps up never waits for credit. */
  #release(cost: number): void {
    const { isOnDemand, windowBytes } = this.#options;
    if (isOnDemand || this.#end !== undefined || this.#isStopped) return;
    this.#taken += cost;
    if (this.#taken < windowBytes / 2) return;
    const granted = this.#taken;
    this.#taken = 0;
    this.#granted += granted;
    this.#link.grant(granted);
  }

  #finish(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#over();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
