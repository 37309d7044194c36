// The frames between the server and the agent in a sandbox (native/sandbox-agent/src/parts.h): a header of
// three little-endian words (payload bytes, id, kind) and the payload. What comes from a sandbox is hostile.

import { GrowingBytes } from "../../streams/index.ts";

export const toAgent = {
  spawn: 1,
  input: 2,
  inputEnd: 3,
  signal: 4,
  resize: 5,
  grant: 6,
  close: 7,
  listen: 8,
  beat: 9,
  credit: 10,
  floor: 11,
  release: 12,
} as const;

export const fromAgent = {
  ready: 32,
  started: 33,
  output: 34,
  errors: 35,
  outputEnd: 36,
  errorsEnd: 37,
  inputGrant: 38,
  inputClosed: 39,
  exited: 40,
  connection: 41,
  refused: 42,
  released: 43,
  stopped: 44,
} as const;

export interface Frame {
  readonly kind: number;
  readonly id: number;
  readonly payload: Uint8Array;
}

/** As the agent has it: bytes of input in flight for one process. */
export const INPUT_WINDOW_BYTES = 65_536;
/** As the agent has it: credit that a frame of output takes besides its payload. */
export const FRAME_COST_BYTES = 512;
/** The agent refuses longer ones; so do we. */
export const FRAME_LIMIT_BYTES = 1024 * 1024;
const HEADER_BYTES = 12;

export function encodeFrame(kind: number, id: number, payload: Uint8Array): Uint8Array {
  if (payload.length > FRAME_LIMIT_BYTES) throw new RangeError("a frame is too long");
  const frame = new Uint8Array(HEADER_BYTES + payload.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, payload.length, true);
  view.setUint32(4, id, true);
  view.setUint32(8, kind, true);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

export function encodeNumbers(...numbers: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  numbers.forEach((number, index) => view.setUint32(index * 4, number, true));
  return new Uint8Array(view.buffer);
}

/** A word of a payload; 0 where it is shorter. */
export function numberAt(payload: Uint8Array, index: number): number {
  if (payload.length < index * 4 + 4) return 0;
  return new DataView(payload.buffer, payload.byteOffset).getUint32(index * 4, true);
}

/** Cuts a stream of bytes into frames. Holds at most one frame. Throws RangeError on one too long. */
export class FrameReader {
  readonly #held = new GrowingBytes();
  /** Before there are so many bytes no frame is whole. */
  #neededBytes = HEADER_BYTES;

  /** The frames that are whole now; their payloads share memory with `bytes`, or with each other. */
  read(bytes: Uint8Array): Frame[] {
    const all = this.#gather(bytes);
    const frames: Frame[] = [];
    let at = 0;
    while (all.length - at >= this.#neededBytes) {
      const view = new DataView(all.buffer, all.byteOffset + at, HEADER_BYTES);
      const size = view.getUint32(0, true);
      if (size > FRAME_LIMIT_BYTES) throw new RangeError("the sandbox's agent sent nonsense");
      this.#neededBytes = HEADER_BYTES + size;
      if (all.length - at < this.#neededBytes) break;
      const payload = all.subarray(at + HEADER_BYTES, at + this.#neededBytes);
      frames.push({ id: view.getUint32(4, true), kind: view.getUint32(8, true), payload });
      at += this.#neededBytes;
      this.#neededBytes = HEADER_BYTES;
    }
    if (at < all.length) this.#held.add(all.subarray(at));
    return frames;
  }

  /** What came before and this; nothing while that is no whole frame, however small the parts are. */
  #gather(bytes: Uint8Array): Uint8Array {
    if (this.#held.length === 0) return bytes;
    this.#held.add(bytes);
    return this.#held.length < this.#neededBytes ? new Uint8Array(0) : this.#held.take();
  }
}
