// Notices that a server is not used any more.

export interface IdleWatchOptions {
  readonly idleMs: number;
  /** Whether there is a connection or something runs. */
  readonly isUsed: () => Promise<boolean>;
  /** Called once, after `idleMs` without use. */
  readonly onIdle: () => void;
  /** Called with every look, before it. */
  readonly onLook?: () => void;
  /** Told when `isUsed` fails; that counts as use. */
  readonly onError: (error: unknown) => void;
}

/** Looks often enough to be late by a tenth, and at most 20 times a second. */
const minLookMs = 50;
const maxLookMs = 5000;

/** Looks from time to time; keeps no process alive. */
export class IdleWatch {
  readonly #options: IdleWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #lastUseMs = performance.now();
  #isLooking = false;
  #isStopped = false;

  constructor(options: IdleWatchOptions) {
    this.#options = options;
    const lookMs = Math.min(maxLookMs, Math.max(minLookMs, options.idleMs / 10));
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#options.onLook?.();
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#options
      .isUsed()
      .catch((error: unknown) => {
        this.#options.onError(error);
        return true;
      })
      .then((isUsed) => this.#note(isUsed))
      .catch((error: unknown) => this.#options.onError(error));
  }

  #note(isUsed: boolean): void {
    this.#isLooking = false;
    const nowMs = performance.now();
    if (isUsed) this.#lastUseMs = nowMs;
    if (this.#isStopped || nowMs - this.#lastUseMs < this.#options.idleMs) return;
    this.stop();
    this.#options.onIdle();
  }
}
