// Kills cells that take more memory than their limit or no longer answer; a cell that comes near its
// limit is first asked to clean up. One timer serves them all: quick while a VM is at work, quicker
// while that has much memory, slow while all are idle, none without cells.
import { CellWatch, defaultWatchLimits, type WatchLimits } from "./cell-watch.ts";
import { TotalPressure } from "./total-pressure.ts";

/** What the watchdog needs of a cell; CellProcess is one. */
export interface WatchedCell {
  readonly memoryLimitBytes: number;
  residentBytes(): number | undefined;
  kill(reason: "memory" | "all-memory" | "silent"): void;
}

/** What the watchdog asks of a cell; none of it is waited for. */
export interface CellAsks {
  /** Asks for an answer. */
  readonly ping: () => void;
  /** Asks the cell to collect its garbage; `Watch.relieved` is called when it has. */
  readonly relieve: () => void;
  /** Says that the cell still has so much, more than its limit: its largest process must end. */
  readonly sayShort: (shortage: Shortage) => void;
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
  /** The cell has cleaned up, as it was asked to. */
  relieved(): void;
  /** What the cell may have from now on. */
  limitMemory(bytes: number): void;
  /** Whether a guest is running. An active VM is looked at often. */
  setActive(isActive: boolean): void;
  stop(): void;
}

/** A bomb fills about 40 MB in this time; a reading costs about ten microseconds. */
const ACTIVE_PERIOD_MS = 25;
/** The same while a VM at work has much memory: it ends not far above its limit. */
const HIGH_PERIOD_MS = 5;
/** What a command left running may become a bomb: it is seen before it has filled a VM. */
const IDLE_PERIOD_MS = 100;
/** The most that one tick counts. */
const LONGEST_TICK_MS = 1_000;
/** A cell whose memory changes by more between two looks is at work, whoever started it. */
const STILL_BYTES = 1024 * 1024;

interface Entry {
  readonly cell: WatchedCell;
  readonly asks: CellAsks;
  readonly watch: CellWatch;
  isActive: boolean;
  /** Whether a guest has run since the last look. */
  wasActive: boolean;
  /** Whether its memory changed between the last two looks. */
  isMoving: boolean;
  residentBytes: number;
  /** Since the last look. */
  elapsedMs: number;
}

/** Why a process of a cell must end. */
export interface Shortage {
  /** What the cell has. */
  readonly residentBytes: number;
  /** What all cells may have together, where they have more. */
  readonly sharedLimitBytes?: number;
}

export interface WatchdogOptions {
  readonly clock?: WatchdogClock;
  readonly limits?: Partial<WatchLimits>;
  /** What all cells may have together; no limit when absent. */
  readonly totalMemoryBytes?: number;
}

export class Watchdog {
  readonly #clock: WatchdogClock;
  readonly #limits: WatchLimits;
  readonly #total: TotalPressure;
  readonly #entries = new Set<Entry>();
  #periodMs: number | undefined;
  #stopTimer: () => void = () => undefined;
  #lastTick = 0;

  constructor(options: WatchdogOptions = {}) {
    this.#clock = options.clock ?? hostClock;
    this.#limits = { ...defaultWatchLimits, ...options.limits };
    this.#total = new TotalPressure(options.totalMemoryBytes ?? Number.POSITIVE_INFINITY);
  }

  /** Watches a cell until the watch is stopped or the cell is killed. */
  watch(cell: WatchedCell, asks: CellAsks): Watch {
    const watch = new CellWatch(cell.memoryLimitBytes, this.#limits);
    const entry: Entry = {
      cell,
      asks,
      watch,
      isActive: false,
      wasActive: false,
      isMoving: false,
      residentBytes: 0,
      elapsedMs: 0,
    };
    this.#entries.add(entry);
    this.#setTimer();
    return {
      heard: () => watch.heard(),
      limitMemory: (bytes) => watch.limitMemory(bytes),
      relieved: () => watch.relieved(),
      setActive: (isActive) => {
        entry.isActive = isActive;
        entry.wasActive ||= isActive;
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
    return Math.min(...[...this.#entries].map(periodOf));
  }

  #tick(): void {
    const now = this.#clock.now();
    // When the server itself stood still, the cells' answers lie unread: that time is not theirs.
    const elapsedMs = Math.min(now - this.#lastTick, LONGEST_TICK_MS);
    this.#lastTick = now;
    for (const entry of [...this.#entries]) {
      entry.elapsedMs += elapsedMs;
      // A timer may be early by a little.
      if (entry.elapsedMs > periodOf(entry) * 0.9) this.#judge(entry);
    }
    this.#judgeTotal(elapsedMs);
    const needed = this.#neededPeriod();
    if (needed !== undefined && needed !== this.#periodMs) this.#start(needed);
  }

  /** Where all cells have too much together, the largest pays: a process of it, at last the cell itself. */
  #judgeTotal(elapsedMs: number): void {
    let sum = 0;
    let largest: Entry | undefined;
    for (const entry of this.#entries) {
      sum += entry.residentBytes;
      if (entry.residentBytes > (largest?.residentBytes ?? 0)) largest = entry;
    }
    const verdict = this.#total.judge(elapsedMs, sum);
    if (largest === undefined || verdict === "fine") return;
    const { residentBytes } = largest;
    const { limitBytes: sharedLimitBytes } = this.#total;
    if (verdict === "short") largest.asks.sayShort({ residentBytes, sharedLimitBytes });
    else {
      this.#remove(largest);
      largest.cell.kill("all-memory");
    }
  }

  #judge(entry: Entry): void {
    const { elapsedMs } = entry;
    const residentBytes = entry.cell.residentBytes();
    entry.elapsedMs = 0;
    entry.wasActive = entry.isActive;
    entry.isMoving = Math.abs((residentBytes ?? 0) - entry.residentBytes) > STILL_BYTES;
    entry.residentBytes = residentBytes ?? 0;
    const verdict = entry.watch.judge(elapsedMs, residentBytes);
    if (verdict === "memory" || verdict === "silent") {
      this.#remove(entry);
      entry.cell.kill(verdict);
    } else if (verdict === "ping") entry.asks.ping();
    else if (verdict === "relieve") entry.asks.relieve();
    else if (verdict === "short") entry.asks.sayShort({ residentBytes: entry.residentBytes });
  }
}

function periodOf(entry: Entry): number {
  if (!entry.isActive && !entry.wasActive && !entry.isMoving) return IDLE_PERIOD_MS;
  return entry.watch.isHigh ? HIGH_PERIOD_MS : ACTIVE_PERIOD_MS;
}

/** A monotonic clock; the timer does not keep the server alive. */
const hostClock: WatchdogClock = {
  now: () => performance.now(),
  every(periodMs, tick) {
    const timer = setInterval(tick, periodMs).unref();
    return () => clearInterval(timer);
  },
};
