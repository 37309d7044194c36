// Length-prefixed frames between two of our processes: server and cell, command and server. Bytes
// and limits only; what a header means is its users' business, how frames travel is FrameChannel's.
// Loaded by every cell and by commands, so it imports nothing and runs on Node 20.

/** What a frame says: a JSON object. What the peer sent is hostile until its reader checked it. */
export type FrameHeader = { readonly [key: string]: unknown };

/**
 * One message. `body` is a view of what was read, and the memory is used again for other frames when who gets it
 * has returned, or has settled the promise it returned. To keep it, `slice()` it: a plain Uint8Array's is a copy.
 */
export interface Frame {
  readonly header: FrameHeader;
  readonly body: Uint8Array;
  /** The header's length on the wire. */
  readonly headerBytes: number;
}

/** How large a frame may be. Both ends of a channel use the same numbers. */
export interface FrameLimits {
  readonly maxHeaderBytes: number;
  readonly maxBodyBytes: number;
}

/** A header holds arguments and results, not data: an argv of 128 KiB and what belongs to it fit. */
export const frameLimits: FrameLimits = { maxHeaderBytes: 256 * 1024, maxBodyBytes: 1024 * 1024 };

export type FrameErrorCode =
  /** The header is longer than the limit. */
  | "HEADER_TOO_LARGE"
  /** The body is longer than the limit. */
  | "BODY_TOO_LARGE"
  /** The lengths contradict each other, or the header is no JSON object. */
  | "MALFORMED"
  /** The peer left in the middle of a frame. */
  | "TRUNCATED"
  /** The sender does not wait for its sends while the peer does not read. */
  | "QUEUE_FULL"
  /** The channel is closed. */
  | "CLOSED";

/** A breach of the framing, or the use of a closed channel. The channel it happened on is over. */
export class FrameError extends Error {
  readonly code: FrameErrorCode;

  constructor(code: FrameErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FrameError";
    this.code = code;
  }
}

/** `[u32 LE bytes that follow][u32 LE header length]` */
const preambleBytes = 8;
const empty = new Uint8Array(0);

/**
 * One frame as bytes: `[u32 LE bytes that follow][u32 LE header length][JSON header][body]`.
 * The body is copied, so its owner may use the buffer again at once.
 * Throws FrameError HEADER_TOO_LARGE or BODY_TOO_LARGE.
 */
export function encodeFrame(
  header: FrameHeader,
  body: Uint8Array = empty,
  limits: FrameLimits = frameLimits,
): Uint8Array {
  const json = JSON.stringify(header);
  const headerBytes = Buffer.byteLength(json);
  checkLengths(headerBytes, body.length, limits);
  const frame = Buffer.allocUnsafe(preambleBytes + headerBytes + body.length);
  writeHead(frame, json, headerBytes, body.length);
  frame.set(body, preambleBytes + headerBytes);
  return frame;
}

/** A frame without its body, for who writes that behind it. Throws as `encodeFrame`. */
export function encodeFrameHead(
  header: FrameHeader,
  bodyBytes: number,
  limits: FrameLimits = frameLimits,
): Uint8Array {
  const json = JSON.stringify(header);
  const headerBytes = Buffer.byteLength(json);
  checkLengths(headerBytes, bodyBytes, limits);
  const head = Buffer.allocUnsafe(preambleBytes + headerBytes);
  writeHead(head, json, headerBytes, bodyBytes);
  return head;
}

function writeHead(into: Buffer, json: string, headerBytes: number, bodyBytes: number): void {
  into.writeUInt32LE(4 + headerBytes + bodyBytes, 0);
  into.writeUInt32LE(headerBytes, 4);
  into.write(json, preambleBytes, "utf8");
}

/** Frames of more are worth a buffer that is kept. */
const largeBytes = 64 * 1024;

/**
 * Turns chunks, cut anywhere, back into frames. A frame that lies within one chunk is not copied;
 * one that spans several is copied once. Holds at most one unfinished frame.
 */
export class FrameReader {
  readonly #limits: FrameLimits;
  readonly #reusesBuffers: boolean;
  /** What large frames are put together in, in turn: the one before is still read. */
  readonly #rooms: Buffer[] = [];
  readonly #preamble = Buffer.alloc(preambleBytes);
  #preambleFilled = 0;
  /** The rest of a frame whose preamble is known but which is not complete; undefined between. */
  #partial: Buffer | undefined;
  #partialFilled = 0;
  #headerBytes = 0;
  #failure: FrameError | undefined;

  /** `reusesBuffers`: what `push` has returned is good until the next push. */
  constructor(limits: FrameLimits = frameLimits, reusesBuffers = false) {
    this.#limits = limits;
    this.#reusesBuffers = reusesBuffers;
  }

  /** Whether bytes of an unfinished frame are waiting for the rest. */
  get isMidFrame(): boolean {
    return this.#preambleFilled > 0;
  }

  /**
   * Takes the next chunk and returns the frames it completes, in order. Throws FrameError when the
   * peer breaks the framing; the frames before the breach are lost and every later push throws.
   */
  push(chunk: Uint8Array): Frame[] {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      return this.#read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    } catch (error) {
      if (error instanceof FrameError) this.#failure = error;
      throw error;
    }
  }

  #read(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (this.#preambleFilled === 0) {
        const end = this.#endOfWhole(chunk, at);
        if (end !== undefined) {
          frames.push(this.#finish(chunk, at + preambleBytes, end));
          at = end;
          continue;
        }
      }
      if (this.#preambleFilled < preambleBytes) {
        at += this.#readPreamble(chunk, at);
        if (this.#preambleFilled < preambleBytes) break;
      }
      const needed = this.#checkedLength(this.#preamble, 0);
      this.#partial ??= this.#roomFor(needed);
      const copied = chunk.copy(this.#partial, this.#partialFilled, at);
      this.#partialFilled += copied;
      at += copied;
      if (this.#partialFilled === needed) frames.push(this.#finish(this.#partial, 0, needed));
    }
    return frames;
  }

  /** Where the frame that begins at `at` ends; undefined where it goes on in the next chunk. */
  #endOfWhole(chunk: Buffer, at: number): number | undefined {
    const start = at + preambleBytes;
    if (chunk.length < start) return undefined;
    const end = start + this.#checkedLength(chunk, at);
    return chunk.length < end ? undefined : end;
  }

  #roomFor(bytes: number): Buffer {
    if (!this.#reusesBuffers || bytes < largeBytes) return Buffer.allocUnsafe(bytes);
    const next = this.#rooms.length > 1 ? this.#rooms.shift() : undefined;
    const { maxHeaderBytes, maxBodyBytes } = this.#limits;
    const room = next ?? Buffer.allocUnsafeSlow(maxHeaderBytes + maxBodyBytes);
    this.#rooms.push(room);
    return room.subarray(0, bytes);
  }

  /** Answers how many bytes it took. */
  #readPreamble(chunk: Buffer, at: number): number {
    const copied = chunk.copy(this.#preamble, this.#preambleFilled, at);
    this.#preambleFilled += copied;
    return copied;
  }

  /** The bytes of header and body, once the preamble is complete and within the limits. */
  #checkedLength(preamble: Buffer, at: number): number {
    const needed = preamble.readUInt32LE(at) - 4;
    this.#headerBytes = preamble.readUInt32LE(at + 4);
    if (needed < this.#headerBytes) {
      throw new FrameError("MALFORMED", "A frame is shorter than the header it announces.");
    }
    checkLengths(this.#headerBytes, needed - this.#headerBytes, this.#limits);
    return needed;
  }

  #finish(from: Buffer, start: number, end: number): Frame {
    const bodyStart = start + this.#headerBytes;
    this.#preambleFilled = 0;
    this.#partial = undefined;
    this.#partialFilled = 0;
    const header = parseHeader(from.toString("utf8", start, bodyStart));
    // No Buffer: `slice` of one is no copy.
    const body = new Uint8Array(from.buffer, from.byteOffset + bodyStart, end - bodyStart);
    return { header, body, headerBytes: this.#headerBytes };
  }
}

function checkLengths(headerBytes: number, bodyBytes: number, limits: FrameLimits): void {
  if (headerBytes > limits.maxHeaderBytes) {
    throw new FrameError(
      "HEADER_TOO_LARGE",
      `A frame header of ${headerBytes} bytes is over the limit of ${limits.maxHeaderBytes}.`,
    );
  }
  if (bodyBytes > limits.maxBodyBytes) {
    throw new FrameError(
      "BODY_TOO_LARGE",
      `A frame body of ${bodyBytes} bytes is over the limit of ${limits.maxBodyBytes}.`,
    );
  }
}

function parseHeader(json: string): FrameHeader {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new FrameError("MALFORMED", "A frame header is not JSON.", { cause });
  }
  if (!isFrameHeader(value)) throw new FrameError("MALFORMED", "A frame header is not an object.");
  return value;
}

function isFrameHeader(value: unknown): value is FrameHeader {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
