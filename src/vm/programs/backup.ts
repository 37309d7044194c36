/** Keeping what a file was before it is replaced, for `cp`, `mv`, `ln` and `install`. */
import { chooseWord } from "./choose-word.ts";
import { readDirectory } from "./directory.ts";
import type { OptionRow } from "./options.ts";
import type { Run } from "./program.ts";
import { findStat } from "./run-command.ts";

export const backupOptions: readonly OptionRow[] = [
  {
    long: "backup",
    value: "CONTROL",
    isOptional: true,
    help: "make a backup of each existing destination file",
  },
  { short: "b", help: "like --backup but does not accept an argument" },
  { short: "S", long: "suffix", value: "SUFFIX", help: "override the usual backup suffix" },
];

type Control = "none" | "simple" | "existing" | "numbered";

/** What `--backup` and VERSION_CONTROL ask for. Fails with a UsageError. */
export async function readBackup(run: Run): Promise<Backup> {
  const environment = await run.sys.environ();
  const suffix = run.options.get("suffix") ?? environment.get("SIMPLE_BACKUP_SUFFIX") ?? "~";
  const isWanted = run.has("backup") || run.has("b") || run.has("suffix");
  if (!isWanted) return new Backup(run, "none", suffix);
  const given = run.options.get("backup") ?? "";
  const word = given === "" ? (environment.get("VERSION_CONTROL") ?? "existing") : given;
  const control = chooseWord(word, given === "" ? "$VERSION_CONTROL" : "backup type", [
    ["none", "off"],
    ["simple", "never"],
    ["existing", "nil"],
    ["numbered", "t"],
  ]);
  return new Backup(run, controls.get(control) ?? "existing", suffix === "" ? "~" : suffix);
}

const controls: ReadonlyMap<string, Control> = new Map([
  ["none", "none"],
  ["simple", "simple"],
  ["existing", "existing"],
  ["numbered", "numbered"],
]);

export class Backup {
  readonly #run: Run;
  readonly #control: Control;
  readonly #suffix: string;

  constructor(run: Run, control: Control, suffix: string) {
    this.#run = run;
    this.#control = control;
    this.#suffix = suffix;
  }

  get isWanted(): boolean {
    return this.#control !== "none";
  }

  /** Renames the file; answers its new name, undefined where nothing was kept. */
  async keep(path: string): Promise<string | undefined> {
    if (!this.isWanted || (await findStat(this.#run.sys, path, true)) === undefined)
      return undefined;
    const name = await this.#nameFor(path);
    await this.#run.sys.rename(path, name);
    return name;
  }

  async #nameFor(path: string): Promise<string> {
    const simple = `${path}${this.#suffix}`;
    if (this.#control === "simple") return simple;
    const highest = await this.#highest(path);
    if (this.#control === "existing" && highest === 0) return simple;
    return `${path}.~${highest + 1}~`;
  }

  /** The number of the last numbered backup, 0 where there is none. */
  async #highest(path: string): Promise<number> {
    const at = path.lastIndexOf("/");
    const start = `${path.slice(at + 1)}.~`;
    const entries = await readDirectory(this.#run.sys, at === -1 ? "." : path.slice(0, at + 1));
    return entries
      .filter(({ name }) => name.startsWith(start) && name.endsWith("~"))
      .map(({ name }) => Number(name.slice(start.length, -1)))
      .filter((number) => Number.isInteger(number))
      .reduce((most, number) => Math.max(most, number), 0);
  }
}
