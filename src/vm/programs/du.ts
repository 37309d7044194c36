import { compilePattern } from "../shell/expansion/pattern.ts";
import { blockSizeProblem } from "./block-size.ts";
import { chooseWord } from "./choose-word.ts";
import { parseCount } from "./count-argument.ts";
import { DiskUsage, type UsagePlan } from "./disk-usage.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";
import { readNames } from "./read-names.ts";
import { findStat } from "./run-command.ts";
import { showSize } from "./show-size.ts";

export const main = defineProgram(
  {
    name: "du",
    usage: ["[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"],
    summary: "Summarize device usage of the set of FILEs, recursively for directories.",
    options: [
      { short: "0", long: "null", help: "end each output line with NUL, not newline" },
      { short: "a", long: "all", help: "write counts for all files, not just directories" },
      { long: "apparent-size", help: "print apparent sizes rather than device usage" },
      {
        short: "B",
        long: "block-size",
        value: "SIZE",
        help: "scale sizes by SIZE before printing them",
      },
      { short: "b", long: "bytes", help: "equivalent to '--apparent-size --block-size=1'" },
      { short: "c", long: "total", help: "produce a grand total" },
      {
        short: "D",
        long: "dereference-args",
        help: "dereference only symlinks that are listed on the\ncommand line",
      },
      {
        short: "d",
        long: "max-depth",
        value: "N",
        help: "print the total for a directory (or file, with --all)\nonly if it is N or fewer levels below the command\nline argument",
      },
      {
        long: "files0-from",
        value: "F",
        help: "summarize usage of the NUL-terminated file names in F",
      },
      { short: "H", help: "equivalent to --dereference-args (-D)" },
      {
        short: "h",
        long: "human-readable",
        help: "print sizes in human readable format (e.g., 1K 234M 2G)",
      },
      { long: "inodes", help: "list inode usage information instead of block usage" },
      { short: "k", help: "like --block-size=1K" },
      { short: "L", long: "dereference", help: "dereference all symbolic links" },
      { short: "l", long: "count-links", help: "count sizes many times if hard linked" },
      { short: "m", help: "like --block-size=1M" },
      {
        short: "P",
        long: "no-dereference",
        help: "don't follow any symbolic links (this is the default)",
      },
      {
        short: "S",
        long: "separate-dirs",
        help: "for directories do not include size of subdirectories",
      },
      { long: "si", help: "like -h, but use powers of 1000 not 1024" },
      { short: "s", long: "summarize", help: "display only a total for each argument" },
      {
        short: "t",
        long: "threshold",
        value: "SIZE",
        help: "exclude entries smaller than SIZE if positive,\nor entries greater than SIZE if negative",
      },
      {
        long: "time",
        value: "WORD",
        isOptional: true,
        help: "show time of the last modification of any file in the\ndirectory, or any of its subdirectories",
      },
      {
        long: "time-style",
        value: "STYLE",
        help: "show times using STYLE, which can be:\nfull-iso, long-iso, iso, or +FORMAT",
      },
      {
        short: "X",
        long: "exclude-from",
        value: "FILE",
        help: "exclude files that match any pattern in FILE",
      },
      { long: "exclude", value: "PATTERN", help: "exclude files that match PATTERN" },
      { short: "x", long: "one-file-system", help: "skip directories on different file systems" },
    ],
  },
  async (run) => {
    const usage = new DiskUsage(run, { ...readPlan(run), excluded: await readExcluded(run) });
    if (run.has("inodes") && (run.has("apparent-size") || run.has("bytes")))
      await run.warn("warning: options --apparent-size and -b are ineffective with --inodes");
    if (run.has("summarize") && run.options.get("max-depth") === "0")
      await run.warn("warning: summarizing is the same as using --max-depth=0");
    const named = run.options.get("files0-from");
    if (named !== undefined && run.operands.length > 0)
      throw new UsageError(
        `extra operand ${quoteName(run.operands[0] ?? "")}\nfile operands cannot be combined with --files0-from`,
      );
    const names = named === undefined ? run.operands : await readNames(run, named);
    await usage.print(names.length === 0 && named === undefined ? ["."] : names, named);
  },
);

function readPlan(run: Run): Omit<UsagePlan, "excluded"> {
  const { options } = run;
  const depthText = options.get("max-depth");
  const depth = depthText === undefined ? Number.POSITIVE_INFINITY : Number(depthText);
  if (depthText !== undefined && !/^\d+$/.test(depthText))
    throw new UsageError(`invalid maximum depth ${quoteName(depthText)}`);
  if (run.has("summarize") && run.has("all"))
    throw new UsageError("cannot both summarize and show all entries");
  if (run.has("summarize") && depthText !== undefined && depth > 0)
    throw new UsageError(`warning: summarizing conflicts with --max-depth=${depth}`);
  const time = options.get("time") ?? "";
  const timeWord = time === "" ? "mtime" : chooseWord(time, "--time", timeChoices);
  const style = options.get("time-style") ?? "+";
  if (!style.startsWith("+")) chooseWord(style, "time style", timeStyles);
  return {
    maxDepth: run.has("summarize") ? 0 : depth,
    isApparent: run.has("apparent-size") || run.has("bytes"),
    show: makeShow(run),
    threshold: readThreshold(run),
    time: timeWord === "atime" ? "atimeMs" : timeWord === "ctime" ? "ctimeMs" : "mtimeMs",
  };
}

const timeChoices = [
  ["atime", "access", "use"],
  ["ctime", "status"],
] as const;
const timeStyles = [["full-iso"], ["long-iso"], ["iso"]] as const;

function readThreshold(run: Run): number {
  const text = run.options.get("threshold");
  if (text === undefined) return 0;
  const amount = parseCount(text.replace(/^[-+]/, ""));
  if (amount === undefined)
    throw new UsageError(`invalid ${run.options.spelling("threshold")} argument '${text}'`, {
      hasHint: false,
    });
  if (text === "-0") throw new UsageError("invalid --threshold argument '-0'", { hasHint: false });
  return text.startsWith("-") ? -amount : amount;
}

function makeShow(run: Run): (amount: number) => string {
  const kind = run.options.last("human-readable", "si", "bytes", "k", "m", "block-size");
  if (run.has("inodes") && kind !== "human-readable" && kind !== "si") return String;
  if (kind === "human-readable") return (bytes) => showSize(bytes, 1024);
  if (kind === "si") return (bytes) => showSize(bytes, 1000);
  if (kind === "bytes") return String;
  const text = kind === "block-size" ? (run.options.get("block-size") ?? "") : "1024";
  const unit = kind === "m" ? 1024 ** 2 : parseUnit(text);
  if (unit === undefined || unit === 0)
    throw new UsageError(blockSizeProblem(text, run.options.spelling("block-size")), {
      hasHint: false,
    });
  const suffix =
    kind === "block-size" && !/^\d/.test(text) ? text.replace(/iB$/, "").replace("KB", "kB") : "";
  return (bytes) => `${Math.ceil(bytes / unit)}${suffix}`;
}

function parseUnit(text: string): number | undefined {
  return parseCount(/^\d/.test(text) ? text : `1${text}`);
}

async function readExcluded(run: Run): Promise<readonly ((name: string) => boolean)[]> {
  const patterns = [...run.options.all("exclude")];
  for (const file of run.options.all("exclude-from"))
    patterns.push(...(await readPatterns(run, file)));
  return patterns.map((pattern) => {
    const compiled = compilePattern(pattern);
    return (name) => compiled.test(name);
  });
}

async function readPatterns(run: Run, file: string): Promise<readonly string[]> {
  if (file !== "-" && (await findStat(run.sys, file)) === undefined)
    throw new UsageError(`${file}: No such file or directory`);
  return readNames(run, file, "\n");
}
