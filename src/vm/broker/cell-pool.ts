import { CellClient } from "./cell-client.ts";
import { CellStarter, type CellStarterOptions } from "./cell-process/cell-starter.ts";
import { Watchdog } from "./cell-process/watchdog.ts";

export interface CellPoolOptions {
  /** The file a cell runs. */
  readonly entry: string;
  /** How many cells wait, started and ready, for a VM to be made. */
  readonly size: number;
  readonly memoryLimitBytes: number;
  readonly log: (line: string) => void;
  /** Further arguments of the entry. */
  readonly args?: readonly string[];
  readonly starter?: CellStarterOptions;
}

/** How many cells may be starting at once: more only slow each other down. */
const STARTING_LIMIT = 4;

/**
 * Cells started ahead of need. Taking one is a message, not the start of a process. A cell serves
 * one VM and never another. Owns every cell that is not taken, the starter and the watchdog.
 */
export class CellPool {
  readonly #options: CellPoolOptions;
  readonly #watchdog = new Watchdog();
  readonly #ready: CellClient[] = [];
  readonly #starting = new Set<Promise<CellClient>>();
  readonly #waiting: (() => void)[] = [];
  #startingCount = 0;
  #starter: Promise<CellStarter> | undefined;
  #isClosed = false;

  constructor(options: CellPoolOptions) {
    this.#options = options;
  }

  /** Starts cells until enough are waiting. */
  fill(): void {
    const missing = this.#options.size - this.#ready.length - this.#starting.size;
    for (let i = 0; i < missing && !this.#isClosed; i++) this.#startAhead();
  }

  /** A cell that is ready: one that waits, one that is starting, or a new one. */
  async take(): Promise<CellClient> {
    const waiting = this.#ready.shift();
    if (waiting !== undefined) {
      this.#fillSoon();
      return waiting;
    }
    const [starting] = this.#starting;
    if (starting !== undefined) {
      this.#starting.delete(starting);
      const cell = await starting;
      this.#fillSoon();
      return cell;
    }
    return this.#start();
  }

  /** Ends every cell, taken ones included. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([...this.#starting]);
    await Promise.all(this.#ready.splice(0).map((cell) => cell.stop()));
    await (await this.#starter)?.close();
  }

  /** Later, so that the VM that has just been made gets the processor first. */
  #fillSoon(): void {
    setTimeout(() => this.fill(), 20).unref();
  }

  #startAhead(): void {
    const starting = this.#start();
    this.#starting.add(starting);
    starting
      .then((cell) => {
        if (!this.#starting.delete(starting)) return undefined;
        if (this.#isClosed) return cell.stop();
        this.#ready.push(cell);
        cell.exited.then(() => this.#forget(cell)).catch(this.#complain);
        return undefined;
      })
      .catch((error: unknown) => {
        this.#starting.delete(starting);
        this.#complain(error);
      });
  }

  async #start(): Promise<CellClient> {
    await this.#turn();
    try {
      this.#starter ??= CellStarter.create(this.#options.starter);
      const { entry, memoryLimitBytes, log, args = [] } = this.#options;
      const process = await (await this.#starter).spawnCell({
        entry,
        memoryLimitBytes,
        args,
        onLog: log,
      });
      const cell = new CellClient(process, this.#watchdog);
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

  #forget(cell: CellClient): void {
    const at = this.#ready.indexOf(cell);
    if (at >= 0) this.#ready.splice(at, 1);
  }

  readonly #complain = (error: unknown): void => {
    this.#options.log(
      `a cell did not start: ${error instanceof Error ? error.message : String(error)}`,
    );
  };
}
