import { WaitQueue } from "../fd/wait-queue.ts";
import type { Limits } from "../limits/limits.ts";

/**
 * What all sockets of a VM hold unread, counted against maxSocketBufferedBytes. A datagram that does
 * not fit fails; writers of streams get what is left and wait for more.
 */
export class SocketMemory {
  /** Woken when there is room after there was none. */
  readonly freed = new WaitQueue();
  readonly #limits: Limits;
  /** What empty buffers keep for the next bytes. */
  #keptBytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get roomBytes(): number {
    return this.#limits.values.maxSocketBufferedBytes - this.#limits.used("maxSocketBufferedBytes");
  }

  /** Counts what there is room for of `wantedBytes`; answers how much. */
  takeUpTo(wantedBytes: number): number {
    const count = Math.min(wantedBytes, this.roomBytes);
    if (count > 0) this.take(count);
    return Math.max(0, count);
  }

  /** Counts all of it or fails with ENOBUFS. */
  take(bytes: number): void {
    this.#limits.charge("maxSocketBufferedBytes", bytes);
  }

  give(bytes: number): void {
    if (bytes === 0) return;
    this.#limits.discharge("maxSocketBufferedBytes", bytes);
    this.freed.wakeAll();
  }

  /** Whether an empty buffer may keep its memory: all together as much as full ones may hold. */
  keep(bytes: number): boolean {
    if (this.#keptBytes + bytes > this.#limits.values.maxSocketBufferedBytes) return false;
    this.#keptBytes += bytes;
    return true;
  }

  unkeep(bytes: number): void {
    this.#keptBytes -= bytes;
  }
}
