import type { KernelHost } from "../host.ts";

/** How long guests may run before the host's event loop gets a turn. */
const TURN_MS = 8;

/**
 * Keeps guests from starving the host. Programs only wait for each other, never for the event loop,
 * so every few milliseconds of calls all of them wait for one turn of it.
 */
export class Turns {
  readonly #host: KernelHost;
  #sinceMs: number;
  #pending: Promise<void> | undefined;

  constructor(host: KernelHost) {
    this.#host = host;
    this.#sinceMs = host.monotonic();
  }

  /** What a call waits for before it goes on; nothing most of the time. */
  take(nowMs: number): Promise<void> | undefined {
    if (this.#pending !== undefined) return this.#pending;
    if (nowMs - this.#sinceMs < TURN_MS) return undefined;
    this.#pending = this.#host.yieldTurn().then(() => {
      this.#pending = undefined;
      this.#sinceMs = this.#host.monotonic();
    });
    return this.#pending;
  }
}
