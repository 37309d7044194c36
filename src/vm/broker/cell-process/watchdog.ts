// Kills cells that take more memory than their limit or no longer answer. One timer serves them all:
// quick while a VM is at work, slow while all are idle, none without cells.
import { CellWatch, defaultWatchLimits, type WatchLimits } from "./cell-watch.ts";

/** What the watchdog needs of a cell; CellProcess is one. */
export interface WatchedCell {
  readonly memoryLimitBytes: number;
  residentBytes(): number | undefined;
  kill(reason: "memory" | "silent"): void;
}

/** The host's clock and interval; tests turn the hands themselves. */
export interface WatchdogClock {
  now(): number;
  /** Calls `tick` every `periodMs` until the returned function is called. */
  every(periodMs: number, tick: () => void): () => void;
}

/** One cell under watch. Its owner reports life and work, and stops it when the cell has ended. */
export interface Watch {
  /** Called for every message from the cell, the answer to a ping among them. */
  heard(): void;
  /** Whether a guest is running. An active VM is looked at often. */
  setActive(isActive: boolean): void;
  stop(): void;
}

/** A bomb fills about 40 MB in this time; a reading costs some microseconds. */
const ACTIVE_PERIOD_MS = 25;
const IDLE_PERIOD_MS = 500;

interface Entry {
  readonly cell: WatchedCell;
  readonly ping: () => void;
  readonly watch: CellWatch;
  isActive: boolean;
}

export class Watchdog {
  readonly #clock: WatchdogClock;
  readonly #limits: WatchLimits;
  readonly #entries = new Set<Entry>();
  #periodMs: number | undefined;
  #stopTimer: () => void = () => undefined;
  #lastTick = 0;

  constructor(options: { clock?: WatchdogClock; limits?: Partial<WatchLimits> } = {}) {
    this.#clock = options.clock ?? hostClock;
    this.#limits = { ...defaultWatchLimits, ...options.limits };
  }

  /** Watches a cell until the watch is stopped or the cell is killed. `ping` asks the cell for an answer. */
  watch(cell: WatchedCell, ping: () => void): Watch {
    const watch = new CellWatch(cell.memoryLimitBytes, this.#limits);
    const entry: Entry = { cell, ping, watch, isActive: false };
    this.#entries.add(entry);
    this.#setTimer();
    return {
      heard: () => watch.heard(),
      setActive: (isActive) => {
        entry.isActive = isActive;
        this.#setTimer();
      },
      stop: () => this.#remove(entry),
    };
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry);
    this.#setTimer();
  }

  /**
   * Starts, quickens or ends the timer. It is slowed only by its own tick: commands shorter than a
   * period, one after another, would otherwise put off every look.
   */
  #setTimer(): void {
    const needed = this.#neededPeriod();
    if (needed === undefined) return this.#stop();
    if (this.#periodMs !== undefined && needed >= this.#periodMs) return;
    this.#start(needed);
  }

  #start(periodMs: number): void {
    if (this.#periodMs === undefined) this.#lastTick = this.#clock.now();
    this.#stop();
    this.#periodMs = periodMs;
    this.#stopTimer = this.#clock.every(periodMs, () => this.#tick());
  }

  #stop(): void {
    this.#stopTimer();
    this.#stopTimer = () => undefined;
    this.#periodMs = undefined;
  }

  #neededPeriod(): number | undefined {
    if (this.#entries.size === 0) return undefined;
    for (const entry of this.#entries) if (entry.isActive) return ACTIVE_PERIOD_MS;
    return IDLE_PERIOD_MS;
  }

  #tick(): void {
    const now = this.#clock.now();
    // When the server itself stood still, the cells' answers lie unread: that time is not theirs.
    const elapsedMs = Math.min(now - this.#lastTick, 2 * IDLE_PERIOD_MS);
    this.#lastTick = now;
    for (const entry of [...this.#entries]) this.#judge(entry, elapsedMs);
    const needed = this.#neededPeriod();
    if (needed !== undefined && needed !== this.#periodMs) this.#start(needed);
  }

  #judge(entry: Entry, elapsedMs: number): void {
    const verdict = entry.watch.judge(elapsedMs, entry.cell.residentBytes());
    if (verdict === "fine") return;
    if (verdict === "ping") return entry.ping();
    this.#remove(entry);
    entry.cell.kill(verdict);
  }
}

/** A monotonic clock; the timer does not keep the server alive. */
const hostClock: WatchdogClock = {
  now: () => performance.now(),
  every(periodMs, tick) {
    const timer = setInterval(tick, periodMs).unref();
    return () => clearInterval(timer);
  },
};
