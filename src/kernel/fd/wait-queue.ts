/**
 * Where calls wait for something to change: data in a pipe, a child's exit, a lock's release.
 *
 * Waking wakes everybody; each looks again whether what it waits for has come. Nothing here knows
 * processes: a process waits through its `Waiter`, which also ends when a signal comes.
 */
export class WaitQueue {
  /** Made when somebody first waits: most queues never see one. */
  #waiting: Set<() => void> | undefined;

  /** Calls `wake` once at the next wake-up; the answer takes it back. */
  add(wake: () => void): () => void {
    this.#waiting ??= new Set();
    this.#waiting.add(wake);
    return () => this.#waiting?.delete(wake);
  }

  wakeAll(): void {
    if (this.#waiting === undefined || this.#waiting.size === 0) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  get isEmpty(): boolean {
    return this.#waiting === undefined || this.#waiting.size === 0;
  }
}

/** How the calling process waits. */
export interface Waiter {
  /** Who calls, where that is a process. */
  readonly pid?: number;
  readonly argv?: readonly string[];
  /**
   * Resolves to true when one of the queues wakes, to false at the deadline (monotonic ms).
   * Fails with EINTR when a signal that the process handles arrives first. May resolve to true
   * without cause: whoever waits looks again.
   */
  wait(queues: WaitQueue | readonly WaitQueue[], deadlineMs?: number): Promise<boolean>;
}
