import { isKernelError, type Stat } from "../../../kernel/index.ts";
import { compilePattern } from "../../shell/expansion/pattern.ts";
import { compareVersions } from "../compare-versions.ts";
import { compareNames, joinPath, readDirectory } from "../directory.ts";
import { defineProgram, errorWords, quoteName, type Run } from "../program.ts";
import { textWidth } from "../text-width.ts";
import { type Listed, ListFormat } from "./list-format.ts";
import { listOptions } from "./options.ts";

/** What cannot be listed on the command line is serious, below it is minor, see ls(1). */
const SERIOUS = 2;
const MINOR = 1;

/** `dir` and `vdir` are `ls -C -b` and `ls -l -b`. */
export const main = defineProgram(
  {
    name: "ls",
    usage: ["[OPTION]... [FILE]..."],
    summary:
      "List information about the FILEs (the current directory by default).\nSort entries alphabetically if none of -cftuvSUX nor --sort is specified.",
    options: listOptions,
    refusal: SERIOUS,
  },
  async (run) => {
    const listing = new Listing(run, await ListFormat.create(run));
    await listing.list(run.operands.length === 0 ? ["."] : run.operands);
  },
);

class Listing {
  readonly #run: Run;
  readonly #format: ListFormat;
  /** Patterns of names that are not shown; `--hide` gives way to -a and -A. */
  readonly #ignored: readonly ((name: string) => boolean)[];
  #hasOutput = false;

  constructor(run: Run, format: ListFormat) {
    this.#run = run;
    this.#format = format;
    const showsAll = run.has("all") || run.has("almost-all") || run.has("f");
    const patterns = [
      ...run.options.all("ignore"),
      ...(showsAll ? [] : run.options.all("hide")),
      ...(run.has("ignore-backups") ? ["*~"] : []),
    ];
    this.#ignored = patterns.map((pattern) => {
      const compiled = compilePattern(pattern);
      return (name) => compiled.test(name);
    });
  }

  async list(operands: readonly string[]): Promise<void> {
    const files: Listed[] = [];
    const directories: Listed[] = [];
    for (const operand of operands) {
      const listed = await this.#look(operand, operand, SERIOUS, true);
      if (listed === undefined) continue;
      const isEntered = listed.stat?.kind === "directory" && !this.#run.has("directory");
      (isEntered ? directories : files).push(listed);
    }
    if (files.length > 0) {
      await this.#format.print(this.#sort(files), false);
      this.#hasOutput = true;
    }
    const isNamed = operands.length > 1 || this.#run.has("recursive");
    for (const { name } of this.#sort(directories))
      await this.#listDirectory(name, isNamed, SERIOUS);
  }

  async #listDirectory(path: string, isNamed: boolean, status: number): Promise<void> {
    const run = this.#run;
    let entries: Listed[];
    try {
      entries = await this.#entries(path);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(
        `cannot open directory ${quoteName(path)}: ${errorWords(error)}`,
        Math.max(run.status, status),
      );
      return;
    }
    if (isNamed) run.out.addText(`${this.#hasOutput ? "\n" : ""}${this.#format.quote(path)}:\n`);
    this.#hasOutput = true;
    const sorted = this.#sort(entries);
    await this.#format.print(sorted, true);
    if (run.out.isFull) await run.out.flush();
    if (!run.has("recursive")) return;
    for (const { name, stat } of sorted) {
      if (stat?.kind === "directory" && name !== "." && name !== "..")
        await this.#listDirectory(joinPath(path, name), true, MINOR);
    }
  }

  async #entries(path: string): Promise<Listed[]> {
    const run = this.#run;
    const isAll = run.options.last("all", "almost-all", "f") !== undefined;
    const hasDots = run.has("f") || run.options.last("all", "almost-all") === "all";
    const found = (await readDirectory(run.sys, path)).map(({ name }) => name);
    const shown = [...(hasDots ? [".", ".."] : []), ...found].filter(
      (name) => (isAll || !name.startsWith(".")) && !this.#ignored.some((matches) => matches(name)),
    );
    const needsStat = this.#format.needsStat || this.#needsStatToSort() || run.has("recursive");
    const entries: Listed[] = [];
    for (const name of shown) {
      const listed = needsStat
        ? await this.#look(name, joinPath(path, name), MINOR, false)
        : { name, path: name };
      if (listed !== undefined) entries.push(listed);
    }
    return entries;
  }

  #needsStatToSort(): boolean {
    const isByName = ["name", "none", "version", "extension", "width"].includes(
      this.#format.plan.sort,
    );
    return !isByName || this.#run.has("group-directories-first");
  }

  /** Whether a link is shown as what it leads to. */
  #follows(isOperand: boolean, target: Stat | undefined): boolean {
    const run = this.#run;
    const last = run.options.last(
      "dereference",
      "dereference-command-line",
      "dereference-command-line-symlink-to-dir",
    );
    if (last === "dereference") return true;
    if (!isOperand) return false;
    if (last === "dereference-command-line") return true;
    if (last !== undefined) return target?.kind === "directory";
    const { indicator } = this.#format.plan;
    const showsLinks = this.#format.isLong || run.has("directory") || indicator === "classify";
    return !showsLinks && target?.kind === "directory";
  }

  async #look(
    name: string,
    path: string,
    status: number,
    isOperand: boolean,
  ): Promise<Listed | undefined> {
    const { sys } = this.#run;
    try {
      const link = await sys.lstat(path);
      if (link.kind !== "symlink") return { name, path, stat: link };
      const target = await this.#target(path);
      const isFollowed = this.#follows(isOperand, target);
      if (isFollowed) return { name, path, stat: target ?? (await sys.stat(path)) };
      return { name, path, stat: link, ...(target === undefined ? {} : { target }) };
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(
        `cannot access ${quoteName(path)}: ${errorWords(error)}`,
        Math.max(this.#run.status, status),
      );
      return isOperand ? undefined : { name, path };
    }
  }

  async #target(path: string): Promise<Stat | undefined> {
    try {
      return await this.#run.sys.stat(path);
    } catch (error) {
      if (isKernelError(error)) return undefined;
      throw error;
    }
  }

  #sort(entries: Listed[]): Listed[] {
    const key = this.#format.plan.sort;
    const byName = (a: Listed, b: Listed): number => compareNames(a.name, b.name);
    const compare = (a: Listed, b: Listed): number => {
      switch (key) {
        case "size":
          return (b.stat?.size ?? 0) - (a.stat?.size ?? 0) || byName(a, b);
        case "time":
          return this.#format.timeOf(b) - this.#format.timeOf(a) || byName(a, b);
        case "version":
          return compareVersions(a.name, b.name) || byName(a, b);
        case "extension":
          return compareNames(extension(a.name), extension(b.name)) || byName(a, b);
        case "width":
          return textWidth(a.name) - textWidth(b.name) || byName(a, b);
        default:
          return byName(a, b);
      }
    };
    const sorted = key === "none" ? entries : entries.toSorted(compare);
    const ordered = this.#run.has("reverse") && key !== "none" ? sorted.toReversed() : sorted;
    if (!this.#run.has("group-directories-first") || key === "none") return ordered;
    const isDirectory = ({ stat, target }: Listed): boolean =>
      (target ?? stat)?.kind === "directory";
    return [...ordered.filter(isDirectory), ...ordered.filter((entry) => !isDirectory(entry))];
  }
}

function extension(name: string): string {
  const at = name.lastIndexOf(".");
  return at === -1 ? "" : name.slice(at);
}
