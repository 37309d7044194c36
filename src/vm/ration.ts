export interface RationOptions {
  /** What may be taken at once. */
  readonly burst: number;
  /** What comes back in an hour, evenly, up to `burst`. */
  readonly perHour: number;
}

const HOUR_MS = 60 * 60 * 1000;

/** So much of something in a time. */
export class Ration {
  readonly #options: RationOptions;
  #left: number;
  #atMs = performance.now();

  constructor(options: RationOptions) {
    this.#options = options;
    this.#left = options.burst;
  }

  has(amount: number): boolean {
    const { burst, perHour } = this.#options;
    const now = performance.now();
    this.#left = Math.min(burst, this.#left + ((now - this.#atMs) / HOUR_MS) * perHour);
    this.#atMs = now;
    return this.#left >= amount;
  }

  /** There is that much. */
  take(amount: number): void {
    this.#left -= amount;
  }
}
