/**
 * Checks the types of code before it runs, in a process of its own that is started with the first check, kept
 * warm, ended when it is idle, and killed when a check takes too long. One for all VMs.
 */
import type { CellStarter } from "../broker/cell-process/cell-starter.ts";
import { CheckerProcess, CheckFailed, createCheckerStarter } from "./checker-process.ts";
import type { CheckRequest, TypeProblem } from "./type-check.ts";

/** A check without an answer does not keep code from running; `unchecked` says why there is none. */
export type CheckOutcome =
  | { readonly problems: readonly TypeProblem[] }
  | { readonly unchecked: string };

export interface TypeCheckerOptions {
  readonly log: (line: string) => void;
  /** What a check may take once TypeScript is loaded. */
  readonly checkLimitMs?: number;
}

/** Code of a page takes 20 ms, a type-level program for ever. */
const CHECK_LIMIT_MS = 3_000;
/** Half a second when the machine is idle. */
const START_LIMIT_MS = 15_000;
const IDLE_LIMIT_MS = 5 * 60_000;
/** Longer code is not checked. */
const CODE_LIMIT_CHARACTERS = 256 * 1024;
/** Checks that wait for others; one more is not made. */
const QUEUE_LIMIT = 32;

export class TypeChecker {
  readonly #options: TypeCheckerOptions;
  #starter: Promise<CellStarter> | undefined;
  #process: Promise<CheckerProcess> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #idle: NodeJS.Timeout | undefined;
  #isReady = false;
  #isClosed = false;

  constructor(options: TypeCheckerOptions) {
    this.#options = options;
  }

  /** Whether a check would be made at once. */
  get isReady(): boolean {
    return this.#isReady && this.#process !== undefined;
  }

  /** Starts the process ahead of the first check. */
  start(): void {
    this.#running().catch((error: unknown) => this.#options.log(`type check: ${String(error)}`));
  }

  /** Never rejects. Checks are made one after the other. */
  async check(request: CheckRequest): Promise<CheckOutcome> {
    if (request.code.length > CODE_LIMIT_CHARACTERS) return { unchecked: "the code is too long" };
    if (this.#waiting >= QUEUE_LIMIT) return { unchecked: "too many checks are under way" };
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#check(request));
    this.#last = turn;
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await (await this.#starter?.catch(() => undefined))?.close();
  }

  async #check(request: CheckRequest): Promise<CheckOutcome> {
    try {
      const checker = await this.#running();
      const limitMs = this.#options.checkLimitMs ?? CHECK_LIMIT_MS;
      const problems = await this.#within(checker, limitMs, checker.check(request));
      return { problems };
    } catch (error) {
      if (!(error instanceof CheckFailed)) this.#options.log(`type check: ${String(error)}`);
      return { unchecked: error instanceof CheckFailed ? error.message : "TypeScript failed" };
    } finally {
      this.#endWhenIdle();
    }
  }

  /** The process, ready to check. */
  async #running(): Promise<CheckerProcess> {
    if (this.#isClosed) throw new CheckFailed("the server is closing");
    this.#process ??= this.#start();
    const checker = await this.#process;
    await this.#within(checker, START_LIMIT_MS, checker.ready);
    this.#isReady = true;
    return checker;
  }

  async #start(): Promise<CheckerProcess> {
    this.#isReady = false;
    try {
      this.#starter ??= createCheckerStarter();
      const checker = await CheckerProcess.start(await this.#starter, this.#options.log);
      const own = this.#process;
      checker.ended
        .then(() => {
          if (this.#process === own) this.#process = undefined;
        })
        .catch((error: unknown) => this.#options.log(String(error)));
      return checker;
    } catch (error) {
      this.#process = undefined;
      this.#starter = undefined;
      throw error;
    }
  }

  /** Kills the process when its time is over; the next check starts another. */
  async #within<T>(checker: CheckerProcess, limitMs: number, work: Promise<T>): Promise<T> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#process = undefined;
      checker.kill();
    }, limitMs);
    try {
      return await work;
    } catch (error) {
      if (!isLate) throw error;
      throw new CheckFailed(`it takes longer than ${limitMs / 1000} s`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      const idle = this.#process;
      this.#process = undefined;
      idle?.then((checker) => checker.kill()).catch(() => undefined);
    }, IDLE_LIMIT_MS).unref();
  }
}
