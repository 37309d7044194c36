// Keeps ten clients that start at once from starting ten servers. Only a courtesy: the server's own
// lock (server-process/home-lock.ts) is what keeps it single. Runs on Node 20.
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../home.ts";
import { isAlive } from "./is-alive.ts";

/** Longer than a start takes; after it the mark of a process that hangs no longer counts. */
const markLimitMs = 10_000;

/** The mark by which a process says that it is starting the server of a build. */
export class StartingMark {
  readonly #file: string;
  #isMine = false;

  constructor(home: Home, buildId: string) {
    this.#file = join(home.directory, `starting-${buildId}`);
  }

  /** Sets the mark unless another living process has set it. */
  trySet(): boolean {
    this.#dropIfStale();
    const mine = `${this.#file}.${process.pid}`;
    writeFileSync(mine, String(process.pid));
    try {
      linkSync(mine, this.#file);
      this.#isMine = true;
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    } finally {
      rmSync(mine, { force: true });
    }
    return this.#isMine;
  }

  /** Takes the mark away if this process has set it. */
  clear(): void {
    if (this.#isMine) rmSync(this.#file, { force: true });
    this.#isMine = false;
  }

  #dropIfStale(): void {
    try {
      const owner = Number(readFileSync(this.#file, "utf8"));
      const isFresh = Date.now() - statSync(this.#file).mtimeMs < markLimitMs;
      if (isFresh && isAlive(owner)) return;
      rmSync(this.#file, { force: true });
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
    }
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
