import { StreamBreach } from "./stream-breach.ts";
import { StreamReceiver } from "./stream-receiver.ts";
import { StreamSender } from "./stream-sender.ts";

/** What two sides of a connection say about their streams. The bytes of `data` are the frame's body. */
export type StreamFrame =
  /** `isLast`: as if an `end` without a value followed. */
  | {
      readonly type: "data";
      readonly stream: number;
      readonly tag: number;
      readonly isLast?: true | undefined;
    }
  | { readonly type: "credit"; readonly stream: number; readonly bytes: number }
  /** Nothing more comes; `value` is the users' own. */
  | { readonly type: "end"; readonly stream: number; readonly value?: unknown }
  /** The receiver reads no more. */
  | { readonly type: "stop"; readonly stream: number };

/** How frames leave. Calls never wait: what is sent is bounded by credit, and by `hasRoom`. */
export interface StreamLink {
  /** In order. `isGiven`: the body is the link's from now on; else it copies what it keeps. */
  readonly send: (frame: StreamFrame, body?: Uint8Array, isGiven?: boolean) => void;
  /** Ahead of whatever waits to be sent. */
  readonly sendFirst: (frame: StreamFrame) => void;
  /** Whether it takes data now. Where it does not, its owner calls `StreamTable.roomAgain` when it does. */
  readonly hasRoom: () => boolean;
}

/** Both sides open a stream with the same rules, each from its end. */
export interface StreamOptions {
  /** What comes in is granted when somebody waits for it, a piece at a time; else a window from the start. */
  readonly isIncomingOnDemand?: boolean;
  readonly isOutgoingOnDemand?: boolean;
  /** Nothing comes in, or goes out: that direction is over from the start. */
  readonly hasNoInput?: boolean;
  readonly hasNoOutput?: boolean;
}

/** How much of one direction may be under way: two pieces of the largest kind. */
export const STREAM_WINDOW_BYTES = 1 << 19;
/** The most data in one piece. */
export const PIECE_BYTES = 1 << 18;
/** What a piece takes of the credit besides its bytes: however small they are, they are few. */
export const PIECE_COST_BYTES = 64;

/** One stream: bytes both ways, each held back by its receiver. */
export class Stream {
  readonly id: number;
  readonly incoming: StreamReceiver;
  readonly outgoing: StreamSender;
  #isDropped = false;

  constructor(id: number, link: StreamLink, options: StreamOptions, over: () => void) {
    this.id = id;
    const { isIncomingOnDemand = false, isOutgoingOnDemand = false } = options;
    let halves = 2;
    const halfOver = (): void => {
      halves -= 1;
      if (halves === 0) over();
    };
    this.incoming = new StreamReceiver(
      {
        grant: (bytes) => link.sendFirst({ type: "credit", stream: id, bytes }),
        stop: () => this.#say(link, { type: "stop", stream: id }),
      },
      {
        creditBytes: isIncomingOnDemand ? 0 : STREAM_WINDOW_BYTES,
        windowBytes: STREAM_WINDOW_BYTES,
        pieceCostBytes: PIECE_COST_BYTES,
        isOnDemand: isIncomingOnDemand,
      },
      halfOver,
    );
    this.outgoing = new StreamSender(
      {
        data: (bytes, tag, isGiven) => link.send({ type: "data", stream: id, tag }, bytes, isGiven),
        last: (bytes, tag) => link.send({ type: "data", stream: id, tag, isLast: true }, bytes),
        end: (value) =>
          this.#say(link, { type: "end", stream: id, ...(value === undefined ? {} : { value }) }),
        hasRoom: link.hasRoom,
      },
      {
        creditBytes: isOutgoingOnDemand ? 0 : STREAM_WINDOW_BYTES,
        windowBytes: STREAM_WINDOW_BYTES,
        pieceCostBytes: PIECE_COST_BYTES,
        pieceBytes: PIECE_BYTES,
        isOnDemand: isOutgoingOnDemand,
      },
      halfOver,
    );
    if (options.hasNoInput === true) this.incoming.end();
    if (options.hasNoOutput === true) this.outgoing.stop();
  }

  /** Gives up both directions; the other side is told of what is not over. */
  close(): void {
    this.incoming.stop();
    this.outgoing.end();
  }

  /** Gives up a stream that the other side was never told of. */
  drop(): void {
    this.#isDropped = true;
    this.close();
  }

  #say(link: StreamLink, frame: StreamFrame): void {
    if (!this.#isDropped) link.send(frame);
  }

  /** The connection is gone: nothing more comes, nothing more leaves. */
  lose(): void {
    this.incoming.cut(LOST);
    this.outgoing.stop();
  }
}

/** What a stream ends with when its connection is gone. */
export const LOST: unique symbol = Symbol("the connection is gone");

/**
 * Frames without data that a peer may have under way for a stream that is over here. An honest one has two of
 * credit, an end and a stop at most.
 */
const LATE_FRAMES = 8;

/**
 * The streams of one connection, by number. Both sides open a stream with the message that starts its
 * use; the side that chooses its number counts in steps of two, so numbers never meet. A stream is
 * forgotten when both directions are over.
 */
export class StreamTable {
  readonly #link: StreamLink;
  readonly #streams = new Map<number, Stream>();
  #nextId: number;
  /** The highest number of the peer's. */
  #lastAccepted = 0;
  /** What the peer may still have under way for streams that are forgotten here, all together. */
  #lateBytes = 0;
  #lateFrames = 0;

  /** Of two sides one numbers its streams from 1, the other from 2. */
  constructor(link: StreamLink, firstId: 1 | 2) {
    this.#link = link;
    this.#nextId = firstId;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Opens a stream of this side's; the peer accepts its number. */
  open(options: StreamOptions = {}): Stream {
    const id = this.#nextId;
    this.#nextId += 2;
    return this.#add(id, options);
  }

  /** Opens a stream that the peer has numbered. Throws StreamBreach when the number is not free. */
  accept(id: number, options: StreamOptions = {}): Stream {
    if (this.#streams.has(id) || id % 2 === this.#nextId % 2) {
      throw new StreamBreach("a stream has a number that is not free");
    }
    this.#lastAccepted = Math.max(this.#lastAccepted, id);
    return this.#add(id, options);
  }

  #add(id: number, options: StreamOptions): Stream {
    const stream: Stream = new Stream(id, this.#link, options, () => this.#forget(id));
    this.#streams.set(id, stream);
    return stream;
  }

  #forget(id: number): void {
    this.#lateBytes += this.#streams.get(id)?.incoming.grantedBytes ?? 0;
    this.#lateFrames += LATE_FRAMES;
    this.#streams.delete(id);
  }

  /** A frame about a stream that is over is dropped: it was under way. Throws StreamBreach. */
  receive(frame: StreamFrame, body: Uint8Array): void {
    const stream = this.#streams.get(frame.stream);
    if (stream === undefined) return this.#receiveLate(frame, body);
    switch (frame.type) {
      case "data":
        // The last one costs nothing without bytes: it is an end.
        if (body.length > 0) stream.incoming.push(body, frame.tag);
        else if (frame.isLast !== true) throw new StreamBreach("a piece without bytes came");
        return frame.isLast === true ? stream.incoming.end() : undefined;
      case "credit":
        return stream.outgoing.grant(frame.bytes);
      case "end":
        if (stream.incoming.hasEnded && stream.incoming.endValue !== LOST) {
          throw new StreamBreach("a stream ended twice");
        }
        return stream.incoming.end(frame.value);
      case "stop":
        return stream.outgoing.stop();
    }
  }

  /** A peer has no more under way than it was granted, and nothing for a stream that never was. */
  #receiveLate(frame: StreamFrame, body: Uint8Array): void {
    const isOwn = frame.stream % 2 === this.#nextId % 2;
    if (isOwn ? frame.stream >= this.#nextId : frame.stream > this.#lastAccepted) {
      throw new StreamBreach("a frame is about a stream that never was");
    }
    if (frame.type === "data" && body.length > 0) this.#lateBytes -= body.length + PIECE_COST_BYTES;
    else this.#lateFrames -= 1;
    if (this.#lateBytes < 0 || this.#lateFrames < 0) {
      throw new StreamBreach("too much came for streams that are over");
    }
  }

  /** The connection takes data again, after `hasRoom` has said no. */
  roomAgain(): void {
    for (const stream of [...this.#streams.values()]) stream.outgoing.roomAgain();
  }

  /** The connection is gone. */
  loseAll(): void {
    for (const stream of [...this.#streams.values()]) stream.lose();
    this.#streams.clear();
  }
}
