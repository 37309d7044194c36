/** Pairs of paths: which are files to compare, directories to enter, or cannot be compared. */
import { isKernelError, O_CLOEXEC, O_RDONLY, type Stat } from "../../../kernel/index.ts";
import { describeKind } from "../describe-kind.ts";
import { baseName, joinPath, readDirectory } from "../directory.ts";
import type { Run } from "../program.ts";
import { compareFiles, type Side } from "./compare-files.ts";
import { type NamePair, pairNames } from "./pair-names.ts";
import type { Settings } from "./settings.ts";

type Paths = readonly [string, string];
type Found = Stat | undefined | "failed";

/** diff's statuses. */
const SAME = 0;
const DIFFERENT = 1;
const TROUBLE = 2;

export class PathComparison {
  readonly #run: Run;
  readonly #settings: Settings;

  constructor(run: Run, settings: Settings) {
    this.#run = run;
    this.#settings = settings;
  }

  /** Compares two operands and answers diff's status. */
  async compareOperands(first: string, second: string): Promise<number> {
    const stats = [await this.#find(first), await this.#find(second)] as const;
    const isAnyDirectory = stats.map((stat) => isDirectory(stat));
    if (isAnyDirectory[0] === isAnyDirectory[1] || stats.includes("failed"))
      return this.#compare([first, second], stats, 0);
    const [directory, file] = isAnyDirectory[0] === true ? [first, second] : [second, first];
    if (stats.some((stat) => stat === undefined)) return this.#missing([first, second], stats);
    if (file === "-") {
      await this.#run.warn("cannot compare '-' to a directory");
      return TROUBLE;
    }
    const inside = joinPath(directory, baseName(file));
    const paths: Paths = isAnyDirectory[0] === true ? [inside, file] : [file, inside];
    return this.#compare(paths, [await this.#find(paths[0]), await this.#find(paths[1])], 0);
  }

  /** Undefined where there is nothing; failures are said. */
  async #find(path: string): Promise<Found> {
    const { sys } = this.#run;
    try {
      if (path === "-") return await sys.fstat(0);
      return await (this.#settings.followsLinks ? sys.stat(path) : sys.lstat(path));
    } catch (error) {
      if (isKernelError(error, "ENOENT")) return undefined;
      await this.#run.failOn(error, path, TROUBLE);
      return "failed";
    }
  }

  async #missing(paths: Paths, stats: readonly [Found, Found]): Promise<number> {
    for (const [at, stat] of stats.entries())
      if (stat === undefined) await this.#run.warn(`${paths[at]}: No such file or directory`);
    return TROUBLE;
  }

  async #compare(paths: Paths, found: readonly [Found, Found], depth: number): Promise<number> {
    const [first, second] = found;
    if (first === "failed" || second === "failed") {
      await this.#missing(paths, found);
      return TROUBLE;
    }
    if (first === undefined && second === undefined) return this.#missing(paths, found);
    if ((first === undefined || second === undefined) && depth === 0) {
      const { absent } = this.#settings;
      const isAllowed = absent === "both" || (absent === "first" && first === undefined);
      if (!isAllowed) return this.#missing(paths, found);
    }
    const kind = first?.kind ?? second?.kind;
    if (kind === "directory" && (second?.kind ?? kind) === "directory")
      return this.#compareDirectories(paths, [first, second], depth);
    if (first?.kind === "symlink" || second?.kind === "symlink")
      return this.#compareLinks(paths, [first, second]);
    if (first !== undefined && second !== undefined && !isReadable(first, second, depth)) {
      this.#run.out.addText(
        `File ${paths[0]} is a ${describeKind(first)} while file ${paths[1]} is a ${describeKind(second)}\n`,
      );
      return DIFFERENT;
    }
    return this.#compareContents(paths, [first, second], depth);
  }

  async #compareLinks(
    paths: Paths,
    [first, second]: readonly [Stat | undefined, Stat | undefined],
  ): Promise<number> {
    const { sys, out } = this.#run;
    if (first === undefined || second === undefined) return DIFFERENT;
    if (first.kind !== second.kind) {
      out.addText(
        `File ${paths[0]} is a ${describeKind(first)} while file ${paths[1]} is a ${describeKind(second)}\n`,
      );
      return DIFFERENT;
    }
    if ((await sys.readlink(paths[0])) === (await sys.readlink(paths[1]))) return SAME;
    out.addText(`Symbolic links ${paths[0]} and ${paths[1]} differ\n`);
    return DIFFERENT;
  }

  async #compareContents(
    paths: Paths,
    stats: readonly [Stat | undefined, Stat | undefined],
    depth: number,
  ): Promise<number> {
    const { sys } = this.#run;
    const opened: number[] = [];
    try {
      const sides: Side[] = [];
      let isFailed = false;
      for (const [at, name] of paths.entries()) {
        const stat = stats[at];
        const fd = stat === undefined ? undefined : await this.#open(name, opened);
        if (stat !== undefined && fd === undefined) isFailed = true;
        sides.push({ name, stat, fd });
      }
      const [first, second] = sides;
      if (isFailed || first === undefined || second === undefined) return TROUBLE;
      const isSame = paths[0] === "-" && paths[1] === "-";
      const pair: readonly [Side, Side] = [first, isSame ? { ...second, fd: undefined } : second];
      if (isSame) return SAME;
      const isDifferent = await compareFiles(this.#run, this.#settings, pair, depth > 0);
      return isDifferent ? DIFFERENT : SAME;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.out.flush();
      await this.#run.failOn(error, error.subject ?? paths[0], TROUBLE);
      return TROUBLE;
    } finally {
      for (const fd of opened) await sys.close(fd);
    }
  }

  async #open(name: string, opened: number[]): Promise<number | undefined> {
    if (name === "-") return 0;
    try {
      const fd = await this.#run.sys.open(name, O_RDONLY | O_CLOEXEC);
      opened.push(fd);
      return fd;
    } catch (error) {
      await this.#run.out.flush();
      await this.#run.failOn(error, name, TROUBLE);
      return undefined;
    }
  }

  async #compareDirectories(
    paths: Paths,
    stats: readonly [Stat | undefined, Stat | undefined],
    depth: number,
  ): Promise<number> {
    const { isRecursive } = this.#settings;
    const [first, second] = stats;
    if (depth > 0 && !isRecursive) {
      this.#run.out.addText(`Common subdirectories: ${paths[0]} and ${paths[1]}\n`);
      return SAME;
    }
    if (first !== undefined && first.ino === second?.ino && first.dev === second.dev) return SAME;
    const lists = [await this.#list(paths[0], first), await this.#list(paths[1], second)] as const;
    if (lists[0] === undefined || lists[1] === undefined) return TROUBLE;
    let status = SAME;
    const { startingFile, ignoresNameCase } = this.#settings;
    for (const names of pairNames(lists[0], lists[1], ignoresNameCase)) {
      const name = names[0] ?? names[1] ?? "";
      if (depth === 0 && startingFile !== undefined && name < startingFile) continue;
      status = Math.max(status, await this.#compareEntry(paths, names, depth));
      if (this.#run.out.isFull) await this.#run.out.flush();
    }
    return status;
  }

  async #list(path: string, stat: Stat | undefined): Promise<readonly string[] | undefined> {
    if (stat === undefined) return [];
    try {
      const names = (await readDirectory(this.#run.sys, path)).map(({ name }) => name);
      return names.filter((name) => !this.#settings.excludes.some((one) => one(name)));
    } catch (error) {
      await this.#run.failOn(error, path, TROUBLE);
      return undefined;
    }
  }

  async #compareEntry([first, second]: Paths, names: NamePair, depth: number): Promise<number> {
    const { absent } = this.#settings;
    const has = [names[0] !== undefined, names[1] !== undefined] as const;
    const name = names[0] ?? names[1] ?? "";
    const paths: Paths = [joinPath(first, name), joinPath(second, names[1] ?? name)];
    if (!has[0] || !has[1]) {
      if (absent === "none" || (absent === "first" && has[0])) {
        this.#run.out.addText(`Only in ${has[0] ? first : second}: ${name}\n`);
        return DIFFERENT;
      }
    }
    const found = [
      has[0] ? await this.#find(paths[0]) : undefined,
      has[1] ? await this.#find(paths[1]) : undefined,
    ] as const;
    return this.#compare(paths, found, depth + 1);
  }
}

function isDirectory(stat: Found): boolean {
  return typeof stat === "object" && stat.kind === "directory";
}

/** In a directory nothing but regular files is opened, on the command line nothing but directories is not. */
function isReadable(first: Stat, second: Stat, depth: number): boolean {
  if (depth === 0) return first.kind !== "directory" && second.kind !== "directory";
  return first.kind === "file" && second.kind === "file";
}
