// The watchdog's judgement about one cell, without a clock or a process of its own: it is told how
// much time has passed and how much memory the cell has, and says what to do.

export interface WatchLimits {
  /** A cell is asked for a sign of life this often. */
  readonly pingEveryMs: number;
  /** A cell that owes an answer for this long is killed. */
  readonly silentLimitMs: number;
}

/** The kernel of a cell yields between the steps of a program; ten seconds without a step is a hang. */
export const defaultWatchLimits: WatchLimits = { pingEveryMs: 1_000, silentLimitMs: 10_000 };

export type Verdict = "fine" | "ping" | "memory" | "silent";

export class CellWatch {
  readonly #memoryLimitBytes: number;
  readonly #limits: WatchLimits;
  #sincePingMs = 0;
  /** How long the cell owes an answer; undefined when it owes none. */
  #owingMs: number | undefined;

  constructor(memoryLimitBytes: number, limits: WatchLimits) {
    this.#memoryLimitBytes = memoryLimitBytes;
    this.#limits = limits;
  }

  /** Any message from the cell is a sign of life. */
  heard(): void {
    this.#owingMs = undefined;
  }

  /** `residentBytes` is undefined where the host does not tell; then only silence is judged. */
  judge(elapsedMs: number, residentBytes: number | undefined): Verdict {
    if (residentBytes !== undefined && residentBytes > this.#memoryLimitBytes) return "memory";
    if (this.#owingMs !== undefined) {
      this.#owingMs += elapsedMs;
      return this.#owingMs >= this.#limits.silentLimitMs ? "silent" : "fine";
    }
    this.#sincePingMs += elapsedMs;
    if (this.#sincePingMs < this.#limits.pingEveryMs) return "fine";
    this.#sincePingMs = 0;
    this.#owingMs = 0;
    return "ping";
  }
}
