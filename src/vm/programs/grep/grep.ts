import { type Stat } from "../../../kernel/index.ts";
import { isTerminal } from "../is-terminal.ts";
import { type Options, UsageError } from "../options.ts";
import { defineProgram, type Run } from "../program.ts";
import { isUtf8Locale } from "../regexp/characters.ts";
import { GrepFiles } from "./files.ts";
import { grepOptions } from "./options.ts";
import { readPatterns } from "./patterns.ts";
import { readColors } from "./printer.ts";
import { GrepSearch, type SearchOptions } from "./search.ts";

/** Status where something went wrong. */
const FAILED = 2;

export const main = defineProgram(
  {
    name: "grep",
    usage: ["[OPTION]... PATTERNS [FILE]..."],
    summary: "Search for PATTERNS in each FILE.",
    options: grepOptions,
    refusal: FAILED,
    showsUsage: true,
  },
  async (run) => {
    const environment = await run.sys.environ();
    const isUtf8 = isUtf8Locale(environment);
    const old = environment.get("GREP_COLOR") ?? "";
    const colors = `${old === "" ? "" : `mt=${old}:`}${environment.get("GREP_COLORS") ?? ""}`;
    const setting = await readSetting(run, isUtf8, colors);
    if (old !== "" && setting.colors !== undefined)
      await run.warn(`warning: GREP_COLOR='${old}' is deprecated; use GREP_COLORS='mt=${old}'`);
    if (run.has("unix-byte-offsets"))
      await run.warn("warning: --unix-byte-offsets (-u) is obsolete");
    const { matcher, files, warnings } = await readPatterns(run, isUtf8);
    for (const warning of warnings) await run.warn(`warning: ${warning}`);
    const search = new GrepSearch(run, matcher, setting);
    return new GrepFiles(run, search, await outputStat(run, setting)).search(files);
  },
);

async function readSetting(run: Run, isUtf8: boolean, colors: string): Promise<SearchOptions> {
  const { options } = run;
  const context = readContext(options);
  return {
    isInverted: options.has("invert-match"),
    output: outputKind(run),
    isNumbered: options.has("line-number"),
    hasOffset: options.has("byte-offset"),
    isTabbed: options.has("initial-tab"),
    before: contextLength(options.get("before-context") ?? context),
    after: contextLength(options.get("after-context") ?? context),
    most: maxCount(options.get("max-count")),
    binary: options.has("text")
      ? "text"
      : options.has("I")
        ? "skip"
        : binaryKind(options.get("binary-files")),
    nameEnd: options.has("null") ? "\0" : undefined,
    delimiter: options.has("null-data") ? 0 : 10,
    isFlushed: options.has("line-buffered"),
    separator: options.has("no-group-separator")
      ? undefined
      : (options.get("group-separator") ?? "--"),
    colors: (await isColored(run)) ? readColors(colors) : undefined,
    isUtf8,
  };
}

/** `--context=NUM` or digits, which make a number where they stand side by side. */
function readContext(options: Options): string | undefined {
  let context: string | undefined;
  const { order, places } = options;
  const given = [...options.all("context")];
  for (const [at, name] of order.entries()) {
    const isBeside = at > 0 && places[at] === places[at - 1] && /^\d$/.test(order[at - 1] ?? "");
    if (name === "context") context = given.shift();
    else if (/^\d$/.test(name)) context = isBeside ? `${context ?? ""}${name}` : name;
  }
  return context;
}

/** -1 where no context is asked for. */
function contextLength(text: string | undefined): number {
  if (text === undefined) return -1;
  if (!/^\d+$/.test(text))
    throw new UsageError(`${text}: invalid context length argument`, { hasHint: false });
  return Number(text);
}

function maxCount(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (!/^[+-]?\d+$/.test(text)) throw new UsageError("invalid max count", { hasHint: false });
  return text.startsWith("-") ? Number.POSITIVE_INFINITY : Number(text);
}

async function isColored(run: Run): Promise<boolean> {
  const { options } = run;
  const given = options.last("color", "colour");
  if (given === undefined) return false;
  const when = options.get(given) ?? "";
  if (when === "always" || when === "yes" || when === "force") return true;
  if (when === "never" || when === "no" || when === "none") return false;
  if (when !== "" && when !== "auto" && when !== "tty" && when !== "if-tty")
    throw new UsageError("");
  const environment = await run.sys.environ();
  return (await isTerminal(run.sys, 1)) && (environment.get("TERM") ?? "dumb") !== "dumb";
}

function outputKind(run: Run): SearchOptions["output"] {
  const { options } = run;
  if (options.has("quiet") || options.has("silent")) return "nothing";
  const names = options.last("files-with-matches", "files-without-match");
  if (names !== undefined) return names === "files-with-matches" ? "matching-names" : "other-names";
  if (options.has("count")) return "count";
  return options.has("only-matching") ? "matches" : "lines";
}

function binaryKind(type: string | undefined): SearchOptions["binary"] {
  if (type === undefined || type === "binary") return "note";
  if (type === "text") return "text";
  if (type === "without-match") return "skip";
  throw new UsageError("unknown binary-files type", { hasHint: false });
}

/** The file that lines go to, where it is one: no input may be the same. */
async function outputStat(run: Run, { output, most }: SearchOptions): Promise<Stat | undefined> {
  const isWritten = output === "lines" || output === "matches" || output === "count";
  if (!isWritten || most <= 1) return undefined;
  const stat = await run.sys.fstat(1);
  return stat.kind === "file" ? stat : undefined;
}
