import type { KernelHost } from "../host.ts";

/** How long guests may run before the host's event loop gets a turn. */
const TURN_MS = 8;
/** How many calls go by between two looks at the clock. */
const CALLS_PER_LOOK = 4;

/**
 * Keeps guests from starving the host. Programs only wait for each other, never for the event loop,
 * so every few milliseconds of calls all of them wait for one turn of it.
 */
export class Turns {
  readonly #host: KernelHost;
  #calls = 0;
  #sinceMs: number;
  #pending: Promise<void> | undefined;

  constructor(host: KernelHost) {
    this.#host = host;
    this.#sinceMs = host.monotonic();
  }

  /**
   * What a call waits for before it goes on; nothing most of the time. `isYield`: much may have been
   * computed since the last call.
   */
  take(isYield = false): Promise<void> | undefined {
    if (this.#pending !== undefined) return this.#pending;
    this.#calls += isYield ? CALLS_PER_LOOK : 1;
    if (this.#calls < CALLS_PER_LOOK) return undefined;
    this.#calls = 0;
    if (this.#host.monotonic() - this.#sinceMs < TURN_MS) return undefined;
    this.#pending = this.#host.yieldTurn().then(() => {
      this.#pending = undefined;
      this.#sinceMs = this.#host.monotonic();
    });
    return this.#pending;
  }
}
