import { ByteRing } from "../pipe/byte-ring.ts";
import type { SocketMemory } from "./socket-memory.ts";

/** Linux's default of tcp_rmem. */
export const STREAM_BUFFER_BYTES = 131_072;

/**
 * The bytes on their way to one end of a connection, at most STREAM_BUFFER_BYTES and counted in the
 * VM's socket memory.
 *
 * Deviation: SO_SNDBUF and SO_RCVBUF of a stream are kept and shown; its buffer has one size.
 */
export class SocketBuffer {
  readonly #memory: SocketMemory;
  readonly #ring = new ByteRing(STREAM_BUFFER_BYTES);
  /** Memory that it keeps while it is empty. */
  #keptBytes = 0;

  constructor(memory: SocketMemory) {
    this.#memory = memory;
  }

  get size(): number {
    return this.#ring.size;
  }

  get roomBytes(): number {
    return Math.min(this.#ring.room, this.#memory.roomBytes);
  }

  /** Takes what fits of `from` from `start` on; answers how much. */
  push(from: Uint8Array, start: number): number {
    const wanted = Math.min(from.length - start, this.#ring.room);
    const count = this.#memory.takeUpTo(wanted);
    if (count > 0) this.#unkeep();
    return this.#ring.push(from.subarray(0, start + count), start);
  }

  /** Moves out what there is, or copies it when only peeking. */
  take(into: Uint8Array, isPeeking: boolean): number {
    if (isPeeking) return this.#ring.peek(into);
    const count = this.#ring.shift(into);
    if (this.#ring.size === 0) this.#rest();
    this.#memory.give(count);
    return count;
  }

  clear(): void {
    const { size } = this.#ring;
    this.#unkeep();
    this.#ring.clear();
    this.#memory.give(size);
  }

  #rest(): void {
    const { allocatedBytes } = this.#ring;
    if (this.#memory.keep(allocatedBytes)) this.#keptBytes = allocatedBytes;
    else this.#ring.clear();
  }

  #unkeep(): void {
    this.#memory.unkeep(this.#keptBytes);
    this.#keptBytes = 0;
  }
}
