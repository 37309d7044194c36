// Notices that a server is not used any more.

export interface IdleWatchOptions {
  readonly idleMs: number;
  /** Whether there is a connection or something runs. */
  readonly isUsed: () => boolean;
  /** Called once, after `idleMs` without use. */
  readonly onIdle: () => void;
  /** Called with every look, before it. */
  readonly onLook?: () => void;
}

/** Looks often enough to be late by a tenth, and at most 20 times a second. */
const minLookMs = 50;
const maxLookMs = 5000;

/** Looks from time to time; keeps no process alive. */
export class IdleWatch {
  readonly #options: IdleWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #lastUseMs = performance.now();

  constructor(options: IdleWatchOptions) {
    this.#options = options;
    const lookMs = Math.min(maxLookMs, Math.max(minLookMs, options.idleMs / 10));
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#options.onLook?.();
    const nowMs = performance.now();
    if (this.#options.isUsed()) this.#lastUseMs = nowMs;
    if (nowMs - this.#lastUseMs < this.#options.idleMs) return;
    this.stop();
    this.#options.onIdle();
  }
}
