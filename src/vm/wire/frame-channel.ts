// Frames over a stream, both ways, with back-pressure both ways. Used between server and cell, and
// between a command and the server. Runs on Node 20.
import type { Duplex } from "node:stream";
import {
  encodeFrame,
  encodeFrameHead,
  type Frame,
  FrameError,
  type FrameHeader,
  type FrameLimits,
  FrameReader,
  frameLimits,
} from "./frame.ts";

export interface FrameChannelOptions {
  /**
   * Called for each frame, in order. While a promise it returned is pending no further frame is
   * delivered and the stream is not read: that is how a slow consumer slows the peer down. Nor is
   * the peer's end noticed then, so the promise must not wait for something that only the peer can
   * bring. What it throws, or rejects with, closes the channel. `headerBytes` is the header's length on the wire.
   */
  readonly onFrame: (
    header: FrameHeader,
    body: Uint8Array,
    headerBytes: number,
  ) => void | Promise<void>;
  /** Called when there is room again, after `hasRoom` was false for somebody. */
  readonly onRoom?: () => void;
  readonly limits?: FrameLimits;
  /** A body is good only until `onFrame` returns, or what it returned is settled: large ones share their memory. */
  readonly reusesBuffers?: boolean;
  /** `send` waits while more than this many bytes are unwritten. */
  readonly highWaterMarkBytes?: number;
  /** More unwritten bytes than this mean a sender that does not wait: the channel closes. */
  readonly maxQueuedBytes?: number;
}

/** Four socket buffers: enough to keep the peer busy while a sender is scheduled again. */
const defaultHighWaterMarkBytes = 256 * 1024;
/** What the stream itself holds before frames wait here. More than it holds without asking for a pause. */
const streamBytes = 128 * 1024;
/** Bodies of less are copied: that costs less than a write of their own. */
const copiedBytes = 32 * 1024;
const defaultMaxQueuedBytes = 64 * 1024 * 1024;
/** Where streams wait: a quarter of what closes the channel, so that frames of other kinds have the rest. */
const fullBytes = 16 * 1024 * 1024;
/** How long a peer that does not read may hold up `close`. */
const closeLimitMs = 1000;

/**
 * A stream of frames. Owns the stream from the start: nobody else reads, writes or closes it. Frames
 * arrive through `onFrame` from the next turn of the event loop on.
 */
export class FrameChannel {
  /**
   * Resolves when the stream is gone and no further frame will be delivered: with the error that
   * ended the channel, or with undefined after `close()` or a clean end by the peer. Never rejects.
   */
  readonly closed: Promise<Error | undefined>;

  readonly #stream: Duplex;
  readonly #onFrame: FrameChannelOptions["onFrame"];
  readonly #onRoom: () => void;
  readonly #limits: FrameLimits;
  readonly #reader: FrameReader;
  readonly #highWaterMarkBytes: number;
  readonly #maxQueuedBytes: number;
  /** Somebody was told that there is no room. */
  #wasFull = false;
  #failure: Error | undefined;
  /** Nothing more is delivered or sent: closed, failed, or all delivered after the peer's end. */
  #isClosing = false;
  /** `onFrame` has returned a promise that is pending. */
  #isDelivering = false;
  /** The peer has ended its side; what it sent before may still wait to be delivered. */
  #hasEnded = false;
  /** The stream is gone. */
  #isGone = false;
  #resolveClosed: ((error: Error | undefined) => void) | undefined;
  /** What was sent in this tick; it leaves at its end, in one write. */
  #gathered: Part[] = [];
  #gatheredBytes = 0;
  #drainWaiters: DrainWaiter[] = [];
  /** Frames behind what the stream holds already. */
  #waiting: WaitingFrame[] = [];
  /** How many of them have left: taking the first out of a long list would move all the others. */
  #left = 0;
  #waitingBytes = 0;

  constructor(stream: Duplex, options: FrameChannelOptions) {
    this.#stream = stream;
    this.#onFrame = options.onFrame;
    this.#onRoom = options.onRoom ?? ((): void => undefined);
    this.#limits = options.limits ?? frameLimits;
    this.#reader = new FrameReader(this.#limits, options.reusesBuffers);
    this.#highWaterMarkBytes = options.highWaterMarkBytes ?? defaultHighWaterMarkBytes;
    this.#maxQueuedBytes = options.maxQueuedBytes ?? defaultMaxQueuedBytes;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    stream.once("close", () => {
      this.#isGone = true;
      this.#dropWaiting();
      this.#releaseSenders();
      if (!this.#isDelivering || this.#isClosing) this.#finish();
    });
    stream.on("error", (error) => this.#fail(error));
    stream.on("drain", () => this.#refill());
    stream.on("end", () => {
      this.#hasEnded = true;
      if (!this.#isDelivering) this.#end();
    });
    stream.on("data", (chunk: Uint8Array) => this.#receive(chunk));
  }

  /** Bytes handed over that the operating system has not taken yet. */
  get queuedBytes(): number {
    return this.#heldBytes + this.#waitingBytes;
  }

  /** Whether senders that can wait may send now; else `onRoom` is called when they may. */
  get hasRoom(): boolean {
    if (this.queuedBytes < fullBytes) return true;
    this.#wasFull = true;
    return false;
  }

  /** Bytes that leave before any frame that waits. */
  get #heldBytes(): number {
    return this.#stream.writableLength + this.#gatheredBytes;
  }

  /**
   * Sends one frame, and resolves when the next may be sent: at once, or, while the peer does not
   * read, when the queue has drained. The body is copied before this returns, unless there is a `sent`:
   * that is called once when the body may be used again, whatever becomes of it. Rejects as `post` throws.
   */
  async send(header: FrameHeader, body?: Uint8Array, sent?: () => void): Promise<void> {
    this.post(header, body, sent);
    await this.untilRoom();
  }

  /**
   * Sends one frame without a word about room, for senders that credit or a limit of their own holds
   * back. The body as with `send`. Throws FrameError CLOSED once the channel is closed (a frame
   * sent before may be lost then), HEADER_TOO_LARGE or BODY_TOO_LARGE (nothing is sent, the channel
   * lives), QUEUE_FULL (the channel closes).
   */
  post(header: FrameHeader, body?: Uint8Array, sent?: () => void): void {
    const isCopied = sent === undefined || body === undefined || body.length < copiedBytes;
    try {
      this.#requireOpen();
      if (isCopied) return this.#queue([{ bytes: encodeFrame(header, body, this.#limits) }]);
      const head = encodeFrameHead(header, body.length, this.#limits);
      this.#queue([{ bytes: head }, { bytes: body, sent }]);
    } catch (error) {
      if (!isCopied) sent();
      throw error;
    } finally {
      if (isCopied) sent?.();
    }
  }

  /** Sends one small frame ahead of those that wait for the peer to read. Throws as `post`. */
  postFirst(header: FrameHeader): void {
    this.#requireOpen();
    const frame = encodeFrame(header, undefined, this.#limits);
    this.#requireRoom(frame.length);
    this.#gather({ bytes: frame });
  }

  /** Resolves when little waits to be written. Rejects with FrameError CLOSED. */
  async untilRoom(): Promise<void> {
    if (this.queuedBytes <= this.#highWaterMarkBytes) return;
    await new Promise<void>((resolve, reject) => this.#drainWaiters.push({ resolve, reject }));
  }

  /**
   * Closes the channel: what was sent is written first, within a second, and nothing more is
   * delivered. Resolves when the stream is gone. Closing twice is harmless.
   */
  async close(): Promise<void> {
    if (!this.#isClosing) {
      this.#isClosing = true;
      this.#flushAndDestroy();
    }
    await this.closed;
  }

  /** Writes the frame, or lets it wait: the stream itself never holds much, so that `postFirst` is soon. */
  #queue(parts: readonly Part[]): void {
    const bytes = parts.reduce((sum, part) => sum + part.bytes.length, 0);
    this.#requireRoom(bytes);
    if (this.#waiting.length === 0 && this.#heldBytes < streamBytes) {
      for (const part of parts) this.#gather(part);
      return;
    }
    this.#waiting.push({ parts, bytes });
    this.#waitingBytes += bytes;
  }

  /** The stream has written what it held: the next frames go to it. */
  #refill(): void {
    while (this.#heldBytes < streamBytes && this.#gatherNext());
    if (this.queuedBytes <= this.#highWaterMarkBytes) this.#wakeSenders();
  }

  #tellRoom(): void {
    if (!this.#wasFull || this.#isClosing) return;
    this.#wasFull = false;
    this.#onRoom();
  }

  /** Whether a frame has left those that wait. */
  #gatherNext(): boolean {
    const next = this.#waiting[this.#left];
    if (next === undefined) return false;
    this.#left += 1;
    if (2 * this.#left >= this.#waiting.length) this.#forgetLeft();
    this.#waitingBytes -= next.bytes;
    for (const part of next.parts) this.#gather(part);
    return true;
  }

  #forgetLeft(): void {
    this.#waiting = this.#waiting.slice(this.#left);
    this.#left = 0;
  }

  #gather(part: Part): void {
    if (this.#gathered.length === 0) process.nextTick(() => this.#flush());
    this.#gathered.push(part);
    this.#gatheredBytes += part.bytes.length;
  }

  #flush(): void {
    const parts = mergeSmall(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    if (this.#isGone) return callAll(parts);
    const stream = this.#stream;
    // Without it, Node 26 forgets the `drain` of a write that follows another's.
    stream.cork();
    for (const { bytes, sent } of parts) stream.write(bytes, sent);
    stream.uncork();
  }

  #requireOpen(): void {
    if (this.#isClosing || !this.#stream.writable) throw closedError(this.#failure);
  }

  #requireRoom(bytes: number): void {
    if (this.queuedBytes + bytes <= this.#maxQueuedBytes) return;
    const error = new FrameError(
      "QUEUE_FULL",
      `More than ${this.#maxQueuedBytes} bytes wait for a peer that does not read.`,
    );
    this.#fail(error);
    throw error;
  }

  #receive(chunk: Uint8Array): void {
    if (this.#isClosing) return;
    try {
      const frames = this.#reader.push(chunk);
      this.#deliver(frames.values());
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Hands over frames until one makes us wait; the wait goes on from there. */
  #deliver(frames: Iterator<Frame>): void {
    for (;;) {
      const next = frames.next();
      if (next.done === true || this.#isClosing) break;
      const { header, body, headerBytes } = next.value;
      const pending = this.#onFrame(header, body, headerBytes);
      if (pending === undefined) continue;
      this.#isDelivering = true;
      this.#stream.pause();
      pending.then(() => this.#deliverRest(frames)).catch((error: Error) => this.#fail(error));
      return;
    }
  }

  #deliverRest(frames: Iterator<Frame>): void {
    this.#isDelivering = false;
    this.#deliver(frames);
    if (this.#isDelivering) return;
    if (this.#hasEnded) this.#end();
    else if (this.#isGone) this.#finish();
    else this.#stream.resume();
  }

  /** The peer has ended its side, and all that came before is delivered. */
  #end(): void {
    if (this.#isClosing) return;
    if (this.#reader.isMidFrame) {
      this.#fail(new FrameError("TRUNCATED", "The peer left in the middle of a frame."));
      return;
    }
    this.#isClosing = true;
    this.#flushAndDestroy();
  }

  #flushAndDestroy(): void {
    const stream = this.#stream;
    if (this.#isGone) return this.#finish();
    while (this.#gatherNext());
    this.#flush();
    const limit = setTimeout(() => stream.destroy(), closeLimitMs);
    stream.once("close", () => clearTimeout(limit));
    stream.end(() => stream.destroy());
    stream.resume();
  }

  #fail(error: Error): void {
    if (this.#failure === undefined && !this.#isClosing) this.#failure = error;
    this.#isClosing = true;
    if (this.#isGone) this.#finish();
    else this.#stream.destroy();
  }

  #finish(): void {
    this.#isClosing = true;
    this.#resolveClosed?.(this.#failure);
  }

  /** Their bodies may be used again, whatever became of them. */
  #dropWaiting(): void {
    this.#waitingBytes = 0;
    this.#forgetLeft();
    for (const { parts } of this.#waiting.splice(0)) callAll(parts);
  }

  #wakeSenders(): void {
    const waiters = this.#drainWaiters;
    this.#drainWaiters = [];
    for (const waiter of waiters) waiter.resolve();
    // Those that waited before send first.
    if (this.#wasFull) setImmediate(() => this.#tellRoom());
  }

  #releaseSenders(): void {
    const waiters = this.#drainWaiters;
    this.#drainWaiters = [];
    for (const waiter of waiters) waiter.reject(closedError(this.#failure));
  }
}

/** Bytes of a frame. */
interface Part {
  readonly bytes: Uint8Array;
  /** Called once when the bytes may be used again; undefined where they are the channel's own. */
  readonly sent?: (() => void) | undefined;
}

interface WaitingFrame {
  readonly parts: readonly Part[];
  readonly bytes: number;
}

interface DrainWaiter {
  readonly resolve: () => void;
  readonly reject: (error: FrameError) => void;
}

/** Small parts in a row become one: that costs less than a write of each. */
function mergeSmall(parts: readonly Part[]): readonly Part[] {
  if (parts.length < 2) return parts;
  const merged: Part[] = [];
  let small: Uint8Array[] = [];
  const mergeThese = (): void => {
    if (small.length > 0) merged.push({ bytes: Buffer.concat(small) });
    small = [];
  };
  for (const part of parts) {
    if (part.bytes.length < copiedBytes) small.push(part.bytes);
    else {
      mergeThese();
      merged.push(part);
    }
  }
  mergeThese();
  return merged;
}

function callAll(parts: readonly Part[]): void {
  for (const { sent } of parts) sent?.();
}

function closedError(cause: Error | undefined): FrameError {
  return new FrameError(
    "CLOSED",
    "The channel is closed.",
    cause === undefined ? undefined : { cause },
  );
}
