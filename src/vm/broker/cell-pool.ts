import { type GuestLines, GuestLog } from "../guest-log.ts";
import { CellClient, CellLost } from "./cell-client.ts";
import { CellStarter, type CellStarterOptions } from "./cell-process/cell-starter.ts";
import { Watchdog } from "./cell-process/watchdog.ts";
import { RefillPace } from "./refill-pace.ts";

export interface CellPoolOptions {
  /** The file a cell runs. */
  readonly entry: string;
  /** How many cells wait, started and ready, for a VM to be made. */
  readonly size: number;
  /** For a cell until it is a VM, which may have a limit of its own. */
  readonly memoryLimitBytes: number;
  /** For all cells together. */
  readonly totalMemoryBytes?: number;
  readonly log: (line: string) => void;
  /** Further arguments of the entry. */
  readonly args?: readonly string[];
  readonly starter?: CellStarterOptions;
}

/** How many cells may be starting at once: more only slow each other down. */
const STARTING_LIMIT = 4;
/** How many cells in a row may be lost while they start before a VM is refused. */
const LOST_STARTS_LIMIT = 3;

/**
 * Cells started ahead of need. Taking one is a message, not the start of a process. A cell serves
 * one VM and never another. One that is lost while it waits is replaced. Owns every cell that is
 * not taken, the starter and the watchdog.
 */
export class CellPool {
  readonly #options: CellPoolOptions;
  readonly #watchdog: Watchdog;
  readonly #ready: CellClient[] = [];
  readonly #starting = new Set<Promise<CellClient>>();
  readonly #waiting: (() => void)[] = [];
  readonly #pace = new RefillPace();
  readonly #log: GuestLog;
  /** What cells write to their stderr: the words of guests, at worst. */
  readonly #lines = new WeakMap<CellClient, GuestLines>();
  #refill: NodeJS.Timeout | undefined;
  #startingCount = 0;
  #starter: Promise<CellStarter> | undefined;
  #isClosed = false;

  constructor(options: CellPoolOptions) {
    this.#options = options;
    this.#log = new GuestLog(options.log);
    const { totalMemoryBytes } = options;
    this.#watchdog = new Watchdog(totalMemoryBytes === undefined ? {} : { totalMemoryBytes });
  }

  /** Starts cells until enough are waiting. */
  fill(): void {
    const missing = this.#options.size - this.#ready.length - this.#starting.size;
    for (let i = 0; i < missing && !this.#isClosed; i++) this.#startAhead();
  }

  /**
   * A cell that lives: one that waits, one that is starting, or a new one. CellLost when several
   * in a row do not live to be ready. What it logs has that name before it from now on.
   */
  async take(name = "cell"): Promise<CellClient> {
    for (let lost = 1; ; lost++) {
      try {
        const cell = (await this.#takeWaiting()) ?? (await this.#takeStarting());
        this.#pace.noteUse();
        this.#lines.get(cell)?.rename(name);
        this.#fillSoon();
        return cell;
      } catch (error) {
        if (!(error instanceof CellLost) || lost === LOST_STARTS_LIMIT) throw error;
      }
    }
  }

  /** Ends every cell, taken ones included. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#refill);
    await Promise.allSettled([...this.#starting]);
    await Promise.all(this.#ready.splice(0).map((cell) => cell.stop()));
    await (await this.#starter)?.close();
  }

  /** One that waits may have ended a moment ago: it is asked for a sign of life. */
  async #takeWaiting(): Promise<CellClient | undefined> {
    for (let cell = this.#ready.shift(); cell !== undefined; cell = this.#ready.shift()) {
      if (await cell.isAlive()) return cell;
      this.#noteLoss(new CellLost(await cell.exited));
    }
    return undefined;
  }

  async #takeStarting(): Promise<CellClient> {
    const [starting] = this.#starting;
    if (starting === undefined) return this.#start();
    this.#starting.delete(starting);
    return starting;
  }

  #fillSoon(): void {
    clearTimeout(this.#refill);
    if (this.#isClosed) return;
    this.#refill = setTimeout(() => this.fill(), this.#pace.delayMs).unref();
  }

  #startAhead(): void {
    const starting = this.#start();
    this.#starting.add(starting);
    starting
      .then((cell) => {
        if (!this.#starting.delete(starting)) return undefined;
        if (this.#isClosed) return cell.stop();
        this.#ready.push(cell);
        this.#warmUp(cell);
        return cell.exited.then((exit) => this.#forget(cell, new CellLost(exit)));
      })
      .catch((error: unknown) => {
        this.#starting.delete(starting);
        this.#noteLoss(error);
      });
  }

  /** While it waits. One that is taken meanwhile serves its VM beside this. */
  #warmUp(cell: CellClient): void {
    cell.call("warmUp", {}).catch((error: unknown) => {
      if (!(error instanceof CellLost)) cell.distrust("no answer to a warm-up");
    });
  }

  async #start(): Promise<CellClient> {
    await this.#turn();
    try {
      this.#starter ??= CellStarter.create(this.#options.starter);
      const { entry, memoryLimitBytes, args = [] } = this.#options;
      const lines = this.#log.open("cell");
      const process = await (await this.#starter).spawnCell({
        entry,
        memoryLimitBytes,
        args,
        onLog: lines.add,
      });
      const cell = new CellClient(process, this.#watchdog);
      this.#lines.set(cell, lines);
      cell.exited.then(() => lines.close()).catch((error: unknown) => lines.add(String(error)));
      await cell.ready;
      return cell;
    } finally {
      this.#startingCount -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#startingCount >= STARTING_LIMIT) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#startingCount += 1;
  }

  #forget(cell: CellClient, lost: CellLost): void {
    const at = this.#ready.indexOf(cell);
    if (at < 0) return;
    this.#ready.splice(at, 1);
    this.#noteLoss(lost);
  }

  /** A cell that nobody used is gone: says so, and starts another after a while. */
  #noteLoss(error: unknown): void {
    if (this.#isClosed) return;
    const message = error instanceof Error ? error.message : String(error);
    this.#options.log(`a cell was lost before its use: ${message}`);
    this.#pace.noteLoss(performance.now());
    this.#fillSoon();
  }
}
