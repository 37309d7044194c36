import { quoteName, type Run } from "./program.ts";
import { findStat } from "./run-command.ts";

/** What `cp` and `mv` did with the operands so far: none is copied twice, none onto another's copy. */
export class MetOperands {
  readonly #run: Run;
  readonly #hasBackups: boolean;
  readonly #sources = new Set<string>();
  readonly #directories = new Map<string, string>();
  readonly #made = new Set<string>();

  constructor(run: Run, hasBackups: boolean) {
    this.#run = run;
    this.#hasBackups = hasBackups;
  }

  /** Whether `from` is to be left alone; says why. */
  async refuses(from: string, to: string): Promise<boolean> {
    const run = this.#run;
    const stat = await findStat(run.sys, from, true);
    if (stat === undefined) return false;
    const identity = `${stat.dev}:${stat.ino}`;
    if (stat.kind === "directory") {
      const isSame = this.#directories.get(identity) === to;
      this.#directories.set(identity, to);
      if (isSame) await this.#warn("directory", from);
      return isSame;
    }
    const source = `${identity}:${from}`;
    if (this.#sources.has(source) && !this.#hasBackups) {
      await this.#warn("file", from);
      return true;
    }
    this.#sources.add(source);
    if (!this.#made.has(to)) {
      this.#made.add(to);
      return false;
    }
    if (this.#hasBackups || (await findStat(run.sys, to, true)) === undefined) return false;
    await run.fail(`will not overwrite just-created ${quoteName(to)} with ${quoteName(from)}`);
    return true;
  }

  async #warn(kind: string, from: string): Promise<void> {
    await this.#run.warn(`warning: source ${kind} ${quoteName(from)} specified more than once`);
  }
}
