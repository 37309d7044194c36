/** Which files grep searches. */
import {
  decodeText,
  isKernelError,
  O_CLOEXEC,
  O_NOFOLLOW,
  O_RDONLY,
  type Stat,
} from "../../../kernel/index.ts";
import { compilePattern } from "../../shell/expansion/pattern.ts";
import { baseName, compareNames, forEachEntry, joinPath, type PathFrom } from "../directory.ts";
import { UsageError } from "../options.ts";
import { errorWords, type Run } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import type { SafeRegExp } from "../safe-regexp.ts";
import type { GrepSearch } from "./search.ts";

/** Statuses of grep: something matched, nothing did, something went wrong. */
const MATCHED = 0;
const UNMATCHED = 1;
const FAILED = 2;

/** Digits of the largest length a file may have. */
const UNKNOWN_WIDTH = 19;

/** An entry of a directory: how it is reached, and what it is called in output. */
interface Met {
  readonly path: string;
  readonly at: PathFrom;
  readonly label: string;
  readonly name: string;
}

export class GrepFiles {
  readonly #run: Run;
  readonly #search: GrepSearch;
  readonly #output: Stat | undefined;
  readonly #directories: string;
  readonly #skipsDevices: boolean | undefined;
  #exclude: readonly SafeRegExp[] = [];
  #include: readonly SafeRegExp[] = [];
  #excludeDirectories: readonly SafeRegExp[] = [];
  #isNamed: boolean | undefined;
  /** The directories being searched, the outer ones first. */
  readonly #path: Stat[] = [];
  #hasMatched = false;
  #hasFailed = false;

  constructor(run: Run, search: GrepSearch, output: Stat | undefined) {
    this.#run = run;
    this.#search = search;
    this.#output = output;
    this.#directories = directoriesAction(run);
    this.#skipsDevices = devicesAction(run.options.get("devices"));
  }

  async search(files: readonly string[]): Promise<number> {
    await this.#readGlobs();
    const isRecursive = this.#directories === "recurse";
    const named = this.#run.options.last("with-filename", "no-filename");
    if (named !== undefined) this.#isNamed = named === "with-filename";
    else if (files.length > 1) this.#isNamed = true;
    const operands = files.length > 0 ? files : [isRecursive ? "." : "-"];
    for (const operand of operands) {
      await this.#searchOperand(operand, files.length === 0);
      if (this.#hasMatched && this.#search.isQuiet) return MATCHED;
    }
    if (this.#hasFailed) return FAILED;
    return this.#hasMatched ? MATCHED : UNMATCHED;
  }

  async #readGlobs(): Promise<void> {
    const { options } = this.#run;
    const compile = (globs: readonly string[]) =>
      globs.map((glob) => compilePattern(glob.replace(/(?<=.)\/+$/, "")));
    this.#include = compile(options.all("include"));
    this.#excludeDirectories = compile(options.all("exclude-dir"));
    const exclude = [...options.all("exclude")];
    for (const file of options.all("exclude-from")) exclude.push(...(await this.#globsOf(file)));
    this.#exclude = compile(exclude);
  }

  async #globsOf(file: string): Promise<readonly string[]> {
    try {
      let text = "";
      await this.#run.withInput(file, async (fd) => {
        text = decodeText(await readAllBytes(this.#run.sys, fd));
      });
      return text.split("\n").filter((line) => line !== "");
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new UsageError(`${file}: ${errorWords(error)}`, { hasHint: false });
    }
  }

  async #searchOperand(operand: string, isImplied: boolean): Promise<void> {
    const { sys, options } = this.#run;
    if (operand === "-") {
      const name = options.get("label") ?? "(standard input)";
      await this.#guard(name, async () => this.#searchFd(0, name, await sys.fstat(0)));
      return;
    }
    await this.#guard(operand, async () => {
      const stat = await sys.stat(operand);
      if (stat.kind === "directory" && this.#directories === "recurse") {
        if (isAmong(this.#excludeDirectories, operand) && !isImplied) return;
        this.#isNamed ??= true;
        await this.#enter(stat, () => this.#searchDirectory(operand, isImplied ? "" : operand));
      } else if (this.#isWanted(operand)) {
        await this.#searchFile(operand, operand, stat);
      }
    });
  }

  async #enter(stat: Stat, search: () => Promise<void>): Promise<void> {
    this.#path.push(stat);
    await search();
    this.#path.pop();
  }

  async #searchDirectory(path: string, shown: string): Promise<void> {
    const depth = this.#path.length;
    await forEachEntry(
      this.#run.sys,
      { path, depth },
      async (entry, at) => {
        if (this.#hasMatched && this.#search.isQuiet) return;
        const { name } = entry;
        const label = shown === "" ? name : joinPath(shown, name);
        const met = { path: joinPath(path, name), at, label, name };
        await this.#guard(label, () =>
          entry.kind === "file" ? this.#searchFound(met) : this.#searchEntry(met),
        );
      },
      (entries) => entries.sort((a, b) => compareNames(a.name, b.name)),
    );
  }

  /** What the directory says is a regular file needs not be looked at before it is opened. */
  async #searchFound({ at, label, name }: Met): Promise<void> {
    if (!this.#isWanted(name)) return;
    const { sys } = this.#run;
    const fd = await sys.open(at, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    try {
      await this.#searchFd(fd, label, await sys.fstat(fd));
    } finally {
      await sys.close(fd);
    }
  }

  async #searchEntry({ path, at, label, name }: Met): Promise<void> {
    const { sys } = this.#run;
    const follows = this.#run.has("dereference-recursive");
    const stat = await (follows ? sys.stat(at) : sys.lstat(at));
    if (stat.kind === "directory") {
      if (isAmong(this.#excludeDirectories, name)) return;
      if (this.#path.some(({ ino, dev }) => ino === stat.ino && dev === stat.dev)) {
        await this.#report(`${label}: warning: recursive directory loop`);
        return;
      }
      await this.#enter(stat, () => this.#searchDirectory(path, label));
      return;
    }
    const isSearched =
      stat.kind === "file" || (this.#skipsDevices === false && stat.kind !== "symlink");
    if (isSearched && this.#isWanted(name)) await this.#searchFile(path, label, stat);
  }

  #isWanted(path: string): boolean {
    if (isAmong(this.#exclude, path)) return false;
    return this.#include.length === 0 || isAmong(this.#include, path);
  }

  async #searchFile(path: string, label: string, stat: Stat): Promise<void> {
    if (stat.kind === "directory") {
      if (this.#directories === "skip") return;
      this.#hasFailed = true;
      await this.#report(`${label}: Is a directory`);
      return;
    }
    if (this.#skipsDevices === true && stat.kind !== "file") return;
    await this.#run.withInput(path === "-" ? "./-" : path, (fd) => this.#searchFd(fd, label, stat));
  }

  async #searchFd(fd: number, name: string, stat: Stat): Promise<void> {
    if (this.#output?.ino === stat.ino && this.#output.dev === stat.dev) {
      this.#hasFailed = true;
      await this.#report(`${name}: input file is also the output`);
      return;
    }
    const isNumbered = this.#run.has("line-number");
    const length = stat.size + (isNumbered ? 1 : 0);
    const width = stat.kind === "file" ? String(length).length : UNKNOWN_WIDTH;
    const sizeBytes = fd !== 0 && stat.kind === "file" && stat.size > 0 ? stat.size : undefined;
    const input = { fd, name, isNamed: this.#isNamed ?? false, width, sizeBytes };
    if (await this.#search.search(input)) this.#hasMatched = true;
  }

  /** What fails is said, and the search goes on. */
  async #guard(label: string, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (!isKernelError(error) || isKernelError(error, "EPIPE")) throw error;
      this.#hasFailed = true;
      await this.#report(`${label}: ${errorWords(error)}`);
    }
  }

  async #report(message: string): Promise<void> {
    if (this.#run.has("no-messages")) return;
    await this.#run.out.flush();
    await this.#run.warn(message);
  }
}

/** A glob matches a path, or its last part. */
function isAmong(globs: readonly SafeRegExp[], path: string): boolean {
  if (globs.length === 0) return false;
  const base = baseName(path);
  return globs.some((glob) => glob.test(base) || glob.test(path));
}

function directoriesAction(run: Run): string {
  const { options } = run;
  const last = options.last("recursive", "dereference-recursive", "directories");
  if (last === undefined) return "read";
  if (last !== "directories") return "recurse";
  const action = options.get("directories") ?? "read";
  if (!["read", "recurse", "skip"].includes(action)) {
    throw new UsageError(
      `invalid argument '${action}' for '--directories'\nValid arguments are:\n  - 'read'\n  - 'recurse'\n  - 'skip'`,
      { status: 1 },
    );
  }
  return action;
}

/** Undefined where devices are read if they are named. */
function devicesAction(action: string | undefined): boolean | undefined {
  if (action === undefined) return undefined;
  if (action === "read" || action === "skip") return action === "skip";
  throw new UsageError("unknown devices method", { hasHint: false });
}
