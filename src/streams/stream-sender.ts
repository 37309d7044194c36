import { StreamBreach } from "./stream-breach.ts";

/** The other side reads no more: nothing can be written. */
export class StreamStopped extends Error {
  constructor() {
    super("The stream's reader has left.");
    this.name = "StreamStopped";
  }
}

/** How a sender reaches the other side. Neither call waits. */
export interface SenderLink {
  /** Sends one piece. `isGiven`: the bytes are the link's from now on; else it copies what it keeps. */
  readonly data: (bytes: Uint8Array, tag: number, isGiven: boolean) => void;
  /** Sends one piece that nothing comes after, and copies what it keeps of it. */
  readonly last: (bytes: Uint8Array, tag: number) => void;
  readonly end: (value: unknown) => void;
  /** Whether the connection takes more now. Where it does not, `roomAgain` is called when it does. */
  readonly hasRoom: () => boolean;
}

export interface SenderOptions {
  /** What the receiver lets come before it grants more. */
  readonly creditBytes: number;
  /** The most that the receiver ever lets come ahead of what it has taken. */
  readonly windowBytes: number;
  /** Credit that a piece takes besides its bytes. */
  readonly pieceCostBytes: number;
  /** The most bytes in one piece. */
  readonly pieceBytes: number;
  /** A grant is for one piece: what is left of it lapses. */
  readonly isOnDemand: boolean;
}

/**
 * The sending half of a stream. Credit is spent before bytes are sent, so a sender never has more
 * under way than the receiver granted.
 */
export class StreamSender {
  /** Called at every grant, and once when the other side reads no more. Set by whoever pumps. */
  onRoom: (() => void) | undefined;
  readonly #link: SenderLink;
  readonly #options: SenderOptions;
  readonly #over: () => void;
  #credit: number;
  #isEnded = false;
  #isStopped = false;
  /** Writes that wait, one after the other. */
  #turn: Promise<void> | undefined;
  #wakeWriter: (() => void) | undefined;

  /** `over` is called once, when nothing more can be sent. */
  constructor(link: SenderLink, options: SenderOptions, over: () => void = () => undefined) {
    this.#link = link;
    this.#options = options;
    this.#over = over;
    this.#credit = options.creditBytes;
  }

  /** How many bytes the next piece may have; 0 where the sender must wait, or nobody reads. */
  get room(): number {
    if (this.#isEnded || this.#isStopped || !this.#link.hasRoom()) return 0;
    const { pieceCostBytes, pieceBytes } = this.#options;
    return Math.max(0, Math.min(this.#credit - pieceCostBytes, pieceBytes));
  }

  /** The other side reads no more. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Sends one piece of what fits of the bytes now; answers how many. */
  send(bytes: Uint8Array, tag = 0, isGiven = false): number {
    const count = Math.min(bytes.length, this.room);
    if (count === 0) return 0;
    const { isOnDemand, pieceCostBytes } = this.#options;
    this.#credit = isOnDemand ? 0 : this.#credit - count - pieceCostBytes;
    this.#link.data(count === bytes.length ? bytes : bytes.subarray(0, count), tag, isGiven);
    return count;
  }

  /**
   * Sends all of the bytes, after those of earlier writes; waits while there is no credit. Resolves
   * when the bytes are the caller's again. Fails with StreamStopped.
   */
  write(bytes: Uint8Array, tag = 0): Promise<void> {
    const sent = this.#turn === undefined ? this.#sendNow(bytes, tag) : 0;
    if (sent === bytes.length && !this.#isStopped) return Promise.resolve();
    const rest = bytes.subarray(sent);
    const written = (this.#turn ?? Promise.resolve()).then(() => this.#sendRest(rest, tag));
    const turn = written
      .catch(() => undefined)
      .then(() => {
        if (this.#turn === turn) this.#turn = undefined;
      });
    this.#turn = turn;
    return written;
  }

  /** As `write`, with an `end` behind it. */
  async writeLast(bytes: Uint8Array, tag = 0): Promise<void> {
    const fitsNow = this.#turn === undefined && bytes.length <= this.room;
    if (fitsNow) return this.sendLast(bytes, tag);
    await this.write(bytes, tag);
    return this.end();
  }

  /** Resolves when the next piece has room; fails with StreamStopped. For one caller at a time. */
  async untilRoom(): Promise<void> {
    while (this.room === 0) {
      if (this.#isStopped || this.#isEnded) throw new StreamStopped();
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
  }

  /** As `send` of all of the bytes, for which there is room, and `end`. */
  sendLast(bytes: Uint8Array, tag = 0): void {
    if (this.#isEnded || this.#isStopped) return;
    this.#isEnded = true;
    this.#link.last(bytes, tag);
    this.#wake();
    this.#over();
  }

  /** Nothing comes after what was sent. `value` goes with it, as JSON. Ending again does nothing. */
  end(value?: unknown): void {
    if (this.#isEnded || this.#isStopped) return;
    this.#isEnded = true;
    this.#link.end(value);
    this.#wake();
    this.#over();
  }

  /** Ends behind the writes that wait. */
  async finish(value?: unknown): Promise<void> {
    while (this.#turn !== undefined) await this.#turn;
    this.end(value);
  }

  /** The receiver lets so many more bytes come. Throws StreamBreach when it gives back more than it got. */
  grant(bytes: number): void {
    const credit = this.#credit + bytes;
    if (bytes < 1 || credit > this.#options.windowBytes) {
      throw new StreamBreach("a stream was granted more than its window");
    }
    this.#credit = credit;
    if (!this.#isEnded && !this.#isStopped) this.#wake();
  }

  /** The connection takes more again. */
  roomAgain(): void {
    if (!this.#isEnded && !this.#isStopped) this.#wake();
  }

  /** The receiver reads no more, or is gone. */
  stop(): void {
    if (this.#isStopped || this.#isEnded) return;
    this.#isStopped = true;
    this.#wake();
    this.#over();
  }

  #sendNow(bytes: Uint8Array, tag: number): number {
    let done = 0;
    while (done < bytes.length) {
      const count = this.send(done === 0 ? bytes : bytes.subarray(done), tag);
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  async #sendRest(bytes: Uint8Array, tag: number): Promise<void> {
    for (let done = 0; ; ) {
      if (this.#isStopped || this.#isEnded) throw new StreamStopped();
      done += this.#sendNow(bytes.subarray(done), tag);
      if (done === bytes.length) return;
      await this.untilRoom();
    }
  }

  #wake(): void {
    const wake = this.#wakeWriter;
    this.#wakeWriter = undefined;
    wake?.();
    this.onRoom?.();
  }
}
