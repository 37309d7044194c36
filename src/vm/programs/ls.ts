import { isKernelError, type Stat } from "../../kernel/index.ts";
import { compareVersions } from "./compare-versions.ts";
import { compareNames, joinPath, readDirectory } from "./directory.ts";
import { type Listed, ListFormat } from "./list-format.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";

/** What cannot be listed on the command line is serious, below it is minor, see ls(1). */
const SERIOUS = 2;
const MINOR = 1;

export const main = defineProgram(
  {
    name: "ls",
    usage: ["[OPTION]... [FILE]..."],
    summary:
      "List information about the FILEs (the current directory by default).\nSort entries alphabetically if none of -cftuvSUX nor --sort is specified.",
    options: [
      { short: "a", long: "all", help: "do not ignore entries starting with ." },
      { short: "A", long: "almost-all", help: "do not list implied . and .." },
      { short: "c", help: "with -lt: sort by, and show, ctime" },
      { short: "C", help: "list entries by columns" },
      { long: "color", value: "WHEN", isOptional: true, help: "(ignored)" },
      { short: "d", long: "directory", help: "list directories themselves, not their contents" },
      { short: "f", help: "list all entries in directory order" },
      {
        short: "F",
        long: "classify",
        value: "WHEN",
        isOptional: true,
        help: "append indicator (one of */=>@|) to entries",
      },
      { short: "g", help: "like -l, but do not list owner" },
      { long: "group-directories-first", help: "group directories before files" },
      { short: "G", long: "no-group", help: "in a long listing, don't print group names" },
      {
        short: "h",
        long: "human-readable",
        help: "with -l and -s, print sizes like 1K 234M 2G etc.",
      },
      { long: "si", help: "likewise, but use powers of 1000 not 1024" },
      { short: "i", long: "inode", help: "print the index number of each file" },
      { short: "k", long: "kibibytes", help: "(ignored)" },
      { short: "l", help: "use a long listing format" },
      { short: "L", long: "dereference", help: "show information for the file a link references" },
      { short: "m", help: "fill width with a comma separated list of entries" },
      { short: "n", long: "numeric-uid-gid", help: "like -l, but list numeric user and group IDs" },
      { short: "N", long: "literal", help: "print entry names without quoting" },
      { short: "o", help: "like -l, but do not list group information" },
      { short: "p", help: "append / indicator to directories" },
      { short: "Q", long: "quote-name", help: "enclose entry names in double quotes" },
      { short: "r", long: "reverse", help: "reverse order while sorting" },
      { short: "R", long: "recursive", help: "list subdirectories recursively" },
      { short: "s", long: "size", help: "print the allocated size of each file, in blocks" },
      { short: "S", help: "sort by file size, largest first" },
      {
        long: "sort",
        value: "WORD",
        help: "sort by WORD: none (-U), size (-S), time (-t),\nversion (-v), extension (-X)",
      },
      {
        long: "time-style",
        value: "STYLE",
        help: "time/date format with -l: full-iso, long-iso, iso, +FORMAT",
      },
      { long: "full-time", help: "like -l --time-style=full-iso" },
      { short: "t", help: "sort by time, newest first" },
      { short: "u", help: "with -lt: sort by, and show, access time" },
      { short: "U", help: "do not sort; list entries in directory order" },
      { short: "v", help: "natural sort of (version) numbers within text" },
      { short: "w", long: "width", value: "COLS", help: "set output width to COLS" },
      { short: "x", help: "list entries by lines instead of by columns" },
      { short: "X", help: "sort alphabetically by entry extension" },
      { short: "1", help: "list one file per line" },
    ],
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
  #hasOutput = false;

  constructor(run: Run, format: ListFormat) {
    this.#run = run;
    this.#format = format;
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
      if (isNamed && status === SERIOUS && error.errno !== "EACCES") run.out.addText("");
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
    const isAll = run.has("all") || run.has("f");
    const found = (await readDirectory(run.sys, path)).map(({ name, kind }) => ({ name, kind }));
    const dots = isAll
      ? [
          { name: ".", kind: "directory" },
          { name: "..", kind: "directory" },
        ]
      : [];
    const shown = [...dots, ...found].filter(
      ({ name }) => isAll || run.has("almost-all") || !name.startsWith("."),
    );
    const needsStat = this.#format.needsStat || this.#needsStatToSort() || run.has("recursive");
    const entries: Listed[] = [];
    for (const { name } of shown) {
      const listed = needsStat
        ? await this.#look(name, joinPath(path, name), MINOR, false)
        : { name, path: name };
      if (listed !== undefined) entries.push(listed);
    }
    return entries;
  }

  #needsStatToSort(): boolean {
    const { options } = this.#run;
    return this.#sortKey() !== "name" || options.has("group-directories-first");
  }

  /** A link on the command line is followed unless a long listing shows links. */
  async #look(
    name: string,
    path: string,
    status: number,
    isOperand: boolean,
  ): Promise<Listed | undefined> {
    const { sys } = this.#run;
    const showsLinks =
      this.#format.isLong || this.#run.has("directory") || this.#format.isClassifying;
    const isFollowed = this.#run.has("dereference") || (isOperand && !showsLinks);
    try {
      const link = await sys.lstat(path);
      if (link.kind !== "symlink") return { name, path, stat: link };
      const target = await this.#target(path);
      if (isFollowed && target !== undefined) return { name, path, stat: target };
      if (isFollowed && this.#run.has("dereference")) throw await this.#missing(path);
      return { name, path, stat: link, ...(target === undefined ? {} : { target }) };
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(
        `cannot access ${quoteName(path)}: ${errorWords(error)}`,
        Math.max(this.#run.status, status),
      );
      return undefined;
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

  async #missing(path: string): Promise<unknown> {
    try {
      await this.#run.sys.stat(path);
    } catch (error) {
      return error;
    }
    return undefined;
  }

  #sortKey(): "name" | "none" | "size" | "time" | "version" | "extension" {
    const { options } = this.#run;
    const last = options.last("f", "U", "S", "t", "v", "X", "sort");
    const word = last === "sort" ? options.get("sort") : last;
    const key = sortKeys.get(word ?? "");
    if (word !== undefined && key === undefined) {
      throw new UsageError(
        `invalid argument ${quoteName(word)} for '--sort'\nValid arguments are:\n  - 'none'\n  - 'time'\n  - 'size'\n  - 'extension'\n  - 'version'\n  - 'width'`,
        { status: 1 },
      );
    }
    if (key === undefined && !this.#format.isLong && (options.has("c") || options.has("u")))
      return "time";
    return key ?? "name";
  }

  #sort(entries: Listed[]): Listed[] {
    const key = this.#sortKey();
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
        default:
          return byName(a, b);
      }
    };
    const sorted = key === "none" ? entries : entries.toSorted(compare);
    const ordered = this.#run.has("reverse") && key !== "none" ? sorted.toReversed() : sorted;
    if (!this.#run.has("group-directories-first")) return ordered;
    const isDirectory = ({ stat, target }: Listed): boolean =>
      (target ?? stat)?.kind === "directory";
    return [...ordered.filter(isDirectory), ...ordered.filter((entry) => !isDirectory(entry))];
  }
}

const sortKeys = new Map<string, "none" | "size" | "time" | "version" | "extension">([
  ["f", "none"],
  ["U", "none"],
  ["none", "none"],
  ["S", "size"],
  ["size", "size"],
  ["t", "time"],
  ["time", "time"],
  ["v", "version"],
  ["version", "version"],
  ["X", "extension"],
  ["extension", "extension"],
]);

function extension(name: string): string {
  const at = name.lastIndexOf(".");
  return at <= 0 ? "" : name.slice(at);
}
