import type { Errno } from "../abi/errno.ts";
import { isKernelError } from "../abi/kernel-error.ts";
import { SOMAXCONN } from "../abi/socket.ts";
import type { WaitQueue } from "../fd/wait-queue.ts";
import type { ConnectionEnd } from "./connection-end.ts";

/** A caller of a listener. */
export interface Attempt {
  /** Makes the connection; answers the listener's end. Fails with EAGAIN at maxConnections. */
  establish(): ConnectionEnd;
  refuse(errno: Errno): void;
}

/**
 * The connections that wait to be accepted, at most one more than the backlog as on Linux, and the
 * callers that wait for a place among them.
 */
export class Listener {
  readonly #changed: WaitQueue;
  readonly #waiting: ConnectionEnd[] = [];
  readonly #line = new Set<Attempt>();
  #backlog = 0;

  constructor(changed: WaitQueue) {
    this.#changed = changed;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get backlog(): number {
    return this.#backlog;
  }

  /** Negative and too large ones mean the most there is, see listen(2). */
  setBacklog(backlog: number): void {
    this.#backlog = backlog < 0 ? SOMAXCONN : Math.min(backlog, SOMAXCONN);
    this.#admit();
  }

  get isFull(): boolean {
    return this.#waiting.length > this.#backlog;
  }

  /** Connects at once, or lets the caller stand in line. */
  call(attempt: Attempt): void {
    if (this.isFull) {
      this.#line.add(attempt);
      return;
    }
    this.#waiting.push(attempt.establish());
    this.#changed.wakeAll();
  }

  leave(attempt: Attempt): void {
    this.#line.delete(attempt);
  }

  /** The oldest connection; undefined when there is none. */
  accept(): ConnectionEnd | undefined {
    const end = this.#waiting.shift();
    if (end !== undefined) this.#admit();
    return end;
  }

  /** Whoever waits is turned away: who was connected by a reset, who stood in line by a refusal. */
  close(): void {
    for (const end of this.#waiting.splice(0)) end.release(true);
    const line = [...this.#line];
    this.#line.clear();
    for (const attempt of line) attempt.refuse("ECONNREFUSED");
    this.#changed.wakeAll();
  }

  #admit(): void {
    for (const attempt of this.#line) {
      if (this.isFull) return;
      this.#line.delete(attempt);
      try {
        this.call(attempt);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        attempt.refuse(error.errno);
      }
    }
  }
}
