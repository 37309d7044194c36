import { KernelError } from "../../src/kernel/abi/kernel-error.ts";
import { type Waiter, WaitQueue } from "../../src/kernel/fd/wait-queue.ts";

/** A clock that moves when told to: timers due by then fire in order. */
export class ManualClock {
  #nowMs = 0;
  readonly #timers = new Set<{ readonly atMs: number; readonly fire: () => void }>();

  readonly monotonic = (): number => this.#nowMs;

  setTimer(atMs: number, fire: () => void): () => void {
    const timer = { atMs, fire };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get timers(): number {
    return this.#timers.size;
  }

  async advance(byMs: number): Promise<void> {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.atMs <= untilMs);
      const next = due.sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.fire();
      await settle();
    }
    this.#nowMs = untilMs;
  }
}

/** Waits as a process does: until woken, until the deadline, or until `interrupt`. */
export class TestWaiter implements Waiter {
  readonly clock: ManualClock;
  readonly #interrupted = new WaitQueue();
  waits = 0;

  constructor(clock = new ManualClock()) {
    this.clock = clock;
  }

  async wait(queues: WaitQueue | readonly WaitQueue[], deadlineMs?: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean | "interrupted">();
    const all = queues instanceof WaitQueue ? [queues] : queues;
    const undo = all.map((queue) => queue.add(() => resolve(true)));
    undo.push(this.#interrupted.add(() => resolve("interrupted")));
    if (deadlineMs !== undefined) undo.push(this.#startTimer(deadlineMs, () => resolve(false)));
    this.waits += 1;
    try {
      const woken = await promise;
      if (woken === "interrupted") throw new KernelError("EINTR");
      return woken;
    } finally {
      this.waits -= 1;
      for (const cancel of undo) cancel();
    }
  }

  /** A deadline that has come already fires after the next turn, as a timer of 0 does. */
  #startTimer(deadlineMs: number, fire: () => void): () => void {
    if (deadlineMs > this.clock.monotonic()) return this.clock.setTimer(deadlineMs, fire);
    const immediate = setImmediate(fire);
    return () => clearImmediate(immediate);
  }

  /** A caught signal: every wait fails with EINTR. */
  interrupt(): void {
    this.#interrupted.wakeAll();
  }
}

/** Lets everything that can go on without a timer go on, also what gives way a few times. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    await promise;
  }
}

/** What has become of a promise once everything has settled. */
export async function outcome<T>(promise: Promise<T>): Promise<T | "waits" | { error: unknown }> {
  const answer = promise.then(
    (value) => value,
    (error: unknown) => ({ error }),
  );
  await settle();
  return Promise.race([answer, Promise.resolve("waits" as const)]);
}
