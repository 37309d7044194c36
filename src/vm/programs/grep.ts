import { isKernelError, type Stat } from "../../kernel/index.ts";
import { compilePattern } from "../shell/expansion/pattern.ts";
import { baseName, compareNames, joinPath, readDirectory } from "./directory.ts";
import { readPatterns } from "./grep-patterns.ts";
import { GrepSearch, type SearchOptions } from "./grep-search.ts";
import type { LineMatcher } from "./line-matcher.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import type { SafeRegExp } from "./safe-regexp.ts";

/** Statuses of grep: something matched, nothing did, something went wrong. */
const MATCHED = 0;
const UNMATCHED = 1;
const FAILED = 2;

export const main = defineProgram(
  {
    name: "grep",
    usage: ["[OPTION]... PATTERNS [FILE]..."],
    summary: "Search for PATTERNS in each FILE.",
    options: [
      { short: "E", long: "extended-regexp", help: "PATTERNS are extended regular expressions" },
      { short: "F", long: "fixed-strings", help: "PATTERNS are strings" },
      { short: "G", long: "basic-regexp", help: "PATTERNS are basic regular expressions" },
      { short: "P", long: "perl-regexp", help: "PATTERNS are Perl regular expressions" },
      { short: "e", long: "regexp", value: "PATTERNS", help: "use PATTERNS for matching" },
      { short: "f", long: "file", value: "FILE", help: "take PATTERNS from FILE" },
      { short: "i", long: "ignore-case", help: "ignore case distinctions in patterns and data" },
      { short: "y", help: "same as -i" },
      { long: "no-ignore-case", help: "do not ignore case distinctions (default)" },
      { short: "w", long: "word-regexp", help: "match only whole words" },
      { short: "x", long: "line-regexp", help: "match only whole lines" },
      { short: "z", long: "null-data", help: "a data line ends in 0 byte, not newline" },
      { short: "s", long: "no-messages", help: "suppress error messages" },
      { short: "v", long: "invert-match", help: "select non-matching lines" },
      { short: "m", long: "max-count", value: "NUM", help: "stop after NUM selected lines" },
      { short: "b", long: "byte-offset", help: "print the byte offset with output lines" },
      { short: "n", long: "line-number", help: "print line number with output lines" },
      { long: "line-buffered", help: "flush output on every line" },
      { short: "H", long: "with-filename", help: "print file name with output lines" },
      { short: "h", long: "no-filename", help: "suppress the file name prefix on output" },
      { long: "label", value: "LABEL", help: "use LABEL as the standard input file name prefix" },
      { short: "o", long: "only-matching", help: "show only nonempty parts of lines that match" },
      { short: "q", long: "quiet", help: "suppress all normal output" },
      { long: "silent", help: "same as --quiet" },
      {
        long: "binary-files",
        value: "TYPE",
        help: "assume that binary files are TYPE;\nTYPE is 'binary', 'text', or 'without-match'",
      },
      { short: "a", long: "text", help: "equivalent to --binary-files=text" },
      { short: "I", help: "equivalent to --binary-files=without-match" },
      {
        short: "d",
        long: "directories",
        value: "ACTION",
        help: "how to handle directories;\nACTION is 'read', 'recurse', or 'skip'",
      },
      { short: "r", long: "recursive", help: "like --directories=recurse" },
      { short: "R", long: "dereference-recursive", help: "likewise, but follow all symlinks" },
      {
        long: "include",
        value: "GLOB",
        help: "search only files that match GLOB (a file pattern)",
      },
      { long: "exclude", value: "GLOB", help: "skip files that match GLOB" },
      { long: "exclude-dir", value: "GLOB", help: "skip directories that match GLOB" },
      {
        short: "L",
        long: "files-without-match",
        help: "print only names of FILEs with no selected lines",
      },
      {
        short: "l",
        long: "files-with-matches",
        help: "print only names of FILEs with selected lines",
      },
      { short: "c", long: "count", help: "print only a count of selected lines per FILE" },
      { short: "T", long: "initial-tab", help: "make tabs line up (if needed)" },
      { short: "Z", long: "null", help: "print 0 byte after FILE name" },
      {
        short: "B",
        long: "before-context",
        value: "NUM",
        help: "print NUM lines of leading context",
      },
      {
        short: "A",
        long: "after-context",
        value: "NUM",
        help: "print NUM lines of trailing context",
      },
      { short: "C", long: "context", value: "NUM", help: "print NUM lines of output context" },
      { long: "color", value: "WHEN", isOptional: true, help: "(ignored)" },
      { long: "colour", value: "WHEN", isOptional: true, help: "(ignored)" },
      ...Array.from("0123456789", (digit) => ({
        short: digit,
        value: "UM",
        isOptional: true,
        help: "same as --context",
      })),
    ],
    refusal: FAILED,
    showsUsage: true,
  },
  async (run) => {
    const { matcher, files } = await readPatterns(run);
    const grep = new Grep(run, matcher);
    return grep.search(files);
  },
);

class Grep {
  readonly #run: Run;
  readonly #search: GrepSearch;
  readonly #isRecursive: boolean;
  readonly #include: readonly SafeRegExp[];
  readonly #exclude: readonly SafeRegExp[];
  readonly #excludeDirectories: readonly SafeRegExp[];
  #hasMatched = false;
  #hasFailed = false;

  constructor(run: Run, matcher: LineMatcher) {
    const { options } = run;
    this.#run = run;
    this.#isRecursive =
      options.has("recursive") ||
      options.has("dereference-recursive") ||
      options.get("directories") === "recurse";
    const compile = (name: string): SafeRegExp[] =>
      options.all(name).map((glob) => compilePattern(glob.replace(/\/$/, "")));
    this.#include = compile("include");
    this.#exclude = compile("exclude");
    this.#excludeDirectories = compile("exclude-dir");
    this.#search = new GrepSearch(run, matcher, this.#searchOptions());
  }

  #searchOptions(): SearchOptions {
    const { options, operands } = this.#run;
    const digits = options.order.findLast((name) => /^\d$/.test(name));
    const context =
      options.get("context") ?? (digits === undefined ? "0" : digits + (options.get(digits) ?? ""));
    const number = (name: string, otherwise: string): number => {
      const text = options.get(name) ?? otherwise;
      if (!/^\d+$/.test(text))
        throw new UsageError(`${text}: invalid context length argument`, { hasHint: false });
      return Number(text);
    };
    const named = options.last("with-filename", "no-filename");
    const fileCount =
      options.has("regexp") || options.has("file") ? operands.length : operands.length - 1;
    const max = options.get("max-count");
    return {
      isInverted: options.has("invert-match"),
      output: this.#outputKind(),
      isNumbered: options.has("line-number"),
      hasOffset: options.has("byte-offset"),
      isNamed:
        named === "with-filename" || (named === undefined && (fileCount > 1 || this.#isRecursive)),
      before: number("before-context", context),
      after: number("after-context", context),
      most: max === undefined ? Number.POSITIVE_INFINITY : Number(max),
      binary: options.has("text")
        ? "text"
        : options.has("I")
          ? "skip"
          : binaryKind(options.get("binary-files")),
      nameEnd: options.has("null") ? "\0" : undefined,
      delimiter: options.has("null-data") ? 0 : 10,
      isFlushed: options.has("line-buffered"),
    };
  }

  #outputKind(): SearchOptions["output"] {
    const { options } = this.#run;
    if (options.has("quiet") || options.has("silent")) return "nothing";
    const names = options.last("files-with-matches", "files-without-match");
    if (names !== undefined)
      return names === "files-with-matches" ? "matching-names" : "other-names";
    if (options.has("count")) return "count";
    return options.has("only-matching") ? "matches" : "lines";
  }

  async search(files: readonly string[]): Promise<number> {
    const operands = files.length > 0 ? files : [this.#isRecursive ? "." : "-"];
    for (const operand of operands) {
      await this.#searchOperand(operand, files.length === 0);
      if (this.#hasMatched && this.#search.isQuiet) return MATCHED;
    }
    if (this.#hasFailed) return FAILED;
    return this.#hasMatched ? MATCHED : UNMATCHED;
  }

  async #searchOperand(operand: string, isImplied: boolean): Promise<void> {
    if (operand === "-") {
      await this.#searchFd(0, this.#run.options.get("label") ?? "(standard input)");
      return;
    }
    try {
      const stat = await this.#run.sys.stat(operand);
      if (stat.kind === "directory" && this.#isRecursive) {
        await this.#searchDirectory(operand, isImplied && operand === "." ? "" : operand);
      } else {
        await this.#searchFile(operand, operand, stat);
      }
    } catch (error) {
      await this.#complain(error, operand);
    }
  }

  async #searchDirectory(path: string, shown: string): Promise<void> {
    const { sys } = this.#run;
    const entries = (await readDirectory(sys, path)).toSorted((a, b) =>
      compareNames(a.name, b.name),
    );
    for (const { name } of entries) {
      const label = shown === "" ? name : joinPath(shown, name);
      try {
        await this.#searchEntry(joinPath(path, name), label, name);
      } catch (error) {
        await this.#complain(error, label);
      }
    }
  }

  async #searchEntry(path: string, label: string, name: string): Promise<void> {
    const { sys } = this.#run;
    const stat = await (this.#run.has("dereference-recursive") ? sys.stat(path) : sys.lstat(path));
    if (stat.kind === "file") return this.#searchFile(path, label, stat);
    if (stat.kind !== "directory") return;
    if (this.#excludeDirectories.some((glob) => glob.test(name))) return;
    return this.#searchDirectory(path, label);
  }

  async #searchFile(path: string, label: string, stat: Stat): Promise<void> {
    const name = baseName(path);
    if (this.#include.length > 0 && !this.#include.some((glob) => glob.test(name))) return;
    if (this.#exclude.some((glob) => glob.test(name))) return;
    if (stat.kind === "directory") {
      if (this.#run.options.get("directories") === "skip") return;
      this.#hasFailed = true;
      await this.#report(`${label}: Is a directory`);
      return;
    }
    await this.#run.withInput(path === "-" ? "./-" : path, (fd) => this.#searchFd(fd, label));
  }

  async #searchFd(fd: number, label: string): Promise<void> {
    if (await this.#search.searchFd(fd, label)) this.#hasMatched = true;
  }

  async #complain(error: unknown, label: string): Promise<void> {
    if (!isKernelError(error)) throw error;
    this.#hasFailed = true;
    await this.#report(`${label}: ${errorWords(error)}`);
  }

  async #report(message: string): Promise<void> {
    if (!this.#run.has("no-messages")) await this.#run.warn(message);
  }
}

function binaryKind(type: string | undefined): SearchOptions["binary"] {
  if (type === undefined || type === "binary") return "note";
  if (type === "text") return "text";
  if (type === "without-match") return "skip";
  throw new UsageError("invalid argument '--binary-files'", { hasHint: false });
}
