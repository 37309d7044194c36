/** Work that several wait for and that is done once. It is aborted when the last of them gives up. */
export class SharedStart<T> {
  readonly #abort = new AbortController();
  readonly #done: Promise<T>;
  #waiting = 0;
  #isOver = false;

  constructor(run: (signal: AbortSignal) => Promise<T>) {
    this.#done = run(this.#abort.signal).finally(() => {
      this.#isOver = true;
    });
    // Who waits learns of a failure; all may have left.
    this.#done.catch(() => undefined);
  }

  /** Rejects with the signal's reason, at once. */
  async join(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    this.#waiting += 1;
    let leave = (): void => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(reasonOf(signal));
      signal.addEventListener("abort", leave, { once: true });
    });
    try {
      return await Promise.race([this.#done, left]);
    } finally {
      signal.removeEventListener("abort", leave);
      this.#waiting -= 1;
      if (this.#waiting === 0) this.cancel(reasonOf(signal));
    }
  }

  /** What is over is not touched any more. */
  cancel(reason: Error): void {
    if (!this.#isOver) this.#abort.abort(reason);
  }

  /** Resolves when it is over, however it went. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#done]);
  }
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error
    ? reason
    : new DOMException("Nobody waits any more.", "AbortError");
}
