// The watchdog's judgement about one cell, without a clock or a process of its own: it is told how
// much time has passed and how much memory the cell has, and says what to do.
import { MemoryPressure, type PressureVerdict } from "./memory-pressure.ts";

export interface WatchLimits {
  /** A cell is asked for a sign of life this often. */
  readonly pingEveryMs: number;
  /** A cell that owes an answer for this long is killed. */
  readonly silentLimitMs: number;
}

/** The kernel of a cell yields between the steps of a program; ten seconds without a step is a hang. */
export const defaultWatchLimits: WatchLimits = { pingEveryMs: 1_000, silentLimitMs: 10_000 };

export type Verdict = PressureVerdict | "ping" | "silent";

export class CellWatch {
  readonly #pressure: MemoryPressure;
  readonly #limits: WatchLimits;
  #sincePingMs = 0;
  /** How long the cell owes an answer; undefined when it owes none. */
  #owingMs: number | undefined;

  constructor(memoryLimitBytes: number, limits: WatchLimits) {
    this.#pressure = new MemoryPressure(memoryLimitBytes);
    this.#limits = limits;
  }

  limitMemory(bytes: number): void {
    this.#pressure.limitBytes = bytes;
  }

  /** Whether the cell had much memory at the last look. */
  get isHigh(): boolean {
    return this.#pressure.isHigh;
  }

  /** Any message from the cell is a sign of life. */
  heard(): void {
    this.#owingMs = undefined;
  }

  /** The cell has done what `relieve` asked for. */
  relieved(): void {
    this.#pressure.relieved();
  }

  /** `residentBytes` is undefined where the host does not tell; then only silence is judged. */
  judge(elapsedMs: number, residentBytes: number | undefined): Verdict {
    const pressure =
      residentBytes === undefined ? "fine" : this.#pressure.judge(elapsedMs, residentBytes);
    if (pressure === "memory") return "memory";
    if (this.#isSilent(elapsedMs)) return "silent";
    if (pressure !== "fine") return pressure;
    if (this.#owingMs !== undefined || this.#sincePingMs < this.#limits.pingEveryMs) return "fine";
    this.#sincePingMs = 0;
    this.#owingMs = 0;
    return "ping";
  }

  #isSilent(elapsedMs: number): boolean {
    if (this.#owingMs === undefined) {
      this.#sincePingMs += elapsedMs;
      return false;
    }
    this.#owingMs += elapsedMs;
    return this.#owingMs >= this.#limits.silentLimitMs;
  }
}
