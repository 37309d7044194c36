import { isKernelError } from "../../../kernel/index.ts";
import { errorWords, type Run } from "../program.ts";
import { makeNameTest } from "./member-names.ts";
import { ArchiveError } from "./read-members.ts";
import type { Step } from "./settings.ts";

interface Wanted {
  readonly name: string;
  readonly test: (name: string) => boolean;
  /** Where its members go. */
  readonly directory: string | undefined;
  isFound: boolean;
}

/** The members a command line asks for, and the directory each goes to; all where it names none. */
export class MemberSelection {
  readonly #run: Run;
  readonly #wanted: Wanted[] = [];
  readonly #steps: readonly Step[];
  #current: string | undefined;

  constructor(run: Run, steps: readonly Step[]) {
    this.#run = run;
    this.#steps = steps;
  }

  /** Goes to the directory that all members share. Fails with an ArchiveError. */
  async start(): Promise<void> {
    const hasWildcards = this.#run.options.last("wildcards", "no-wildcards") === "wildcards";
    const rules = {
      isAnchored: this.#run.options.last("anchored", "no-anchored") !== "no-anchored",
      hasWildcards,
      ignoreCase: this.#run.has("ignore-case"),
    };
    let directory: string | undefined;
    const base = await this.#run.sys.getcwd();
    for (const step of this.#steps) {
      if (step.directory !== undefined)
        directory = step.directory.startsWith("/")
          ? step.directory
          : `${directory ?? base}/${step.directory}`;
      if (step.name === undefined) continue;
      const test = makeNameTest(step.name, rules);
      this.#wanted.push({ name: step.name, test, directory, isFound: false });
    }
    if (this.#wanted.length === 0 && directory !== undefined) {
      const shown = this.#steps.findLast((step) => step.directory !== undefined)?.directory;
      await this.#enter(directory, shown ?? directory);
    }
    const isPattern = this.#wanted.some(({ name }) => /[*?[]/.test(name));
    const isSaid = this.#run.options.last("wildcards", "no-wildcards") !== undefined;
    if (!isPattern || isSaid) return;
    await this.#run.warn("Pattern matching characters used in file names");
    await this.#run.warn(
      "Use --wildcards to enable pattern matching, or --no-wildcards to suppress this warning",
    );
  }

  async selects(name: string): Promise<boolean> {
    if (this.#wanted.length === 0) return true;
    const wanted = this.#wanted.find(({ test }) => test(name));
    if (wanted === undefined) return false;
    wanted.isFound = true;
    if (wanted.directory !== undefined && wanted.directory !== this.#current)
      await this.#enter(wanted.directory, wanted.directory);
    return true;
  }

  get isComplete(): boolean {
    return this.#wanted.every(({ isFound }) => isFound);
  }

  missing(): string[] {
    return this.#wanted.filter(({ isFound }) => !isFound).map(({ name }) => name);
  }

  async #enter(directory: string, shown: string): Promise<void> {
    try {
      await this.#run.sys.chdir(directory);
      this.#current = directory;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new ArchiveError(`${shown}: Cannot open: ${errorWords(error)}`);
    }
  }
}
