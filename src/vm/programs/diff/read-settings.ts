/** diff's options, checked. */
import { isKernelError } from "../../../kernel/index.ts";
import { compilePattern } from "../../shell/expansion/pattern.ts";
import { readSmallFile } from "../name-database.ts";
import { UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import { RegExpSyntaxError } from "../regexp/errors.ts";
import { TextRegExp } from "../regexp/text-regexp.ts";
import type { LineRules } from "./line-classes.ts";
import { type Palette, readPalette } from "./palette.ts";
import { quoteArgument } from "./quote-names.ts";
import type { LineFormats, Settings, Style } from "./settings.ts";

const DEFAULT_CONTEXT = 3;
const DEFAULT_WIDTH = 130;
/** No file has as many lines. */
const ENDLESS = 0x3fffffff;

/** Fails with a UsageError. `words` is the command line without the program's name. */
export async function readSettings(run: Run, words: readonly string[]): Promise<Settings> {
  const { style, context } = readStyle(run);
  const horizon = readNumber(run, "horizon-lines", "horizon length") ?? 0;
  const isFormat = style === "format";
  if (run.options.all("label").length > 2)
    throw new UsageError("too many file label options", { hasHint: false });
  return {
    style,
    context,
    rules: readRules(run),
    isMinimal: run.has("minimal"),
    horizon: Math.max(horizon, style === "unified" || style === "context" ? context : 0),
    ignoresBlank: run.has("ignore-blank-lines"),
    ignored: run.options.all("ignore-matching-lines").map(compileLine),
    functionLine: readFunctionLine(run),
    labels: run.options.all("label"),
    palette: await readColors(run),
    expandsTabs: run.has("expand-tabs"),
    startsWithTab: run.has("initial-tab"),
    suppressesBlankEmpty: run.has("suppress-blank-empty"),
    width: readNumber(run, "width", "width") ?? DEFAULT_WIDTH,
    hidesCommon: run.has("suppress-common-lines") && !isFormat,
    isLeftColumn: run.has("left-column"),
    isBrief: run.has("brief"),
    reportsIdentical: run.has("report-identical-files"),
    isText: run.has("text"),
    stripsReturns: run.has("strip-trailing-cr"),
    isRecursive: run.has("recursive"),
    followsLinks: !run.has("no-dereference"),
    absent: run.has("new-file") ? "both" : run.has("unidirectional-new-file") ? "first" : "none",
    ignoresNameCase: ignoresNameCase(run),
    excludes: await readExcludes(run),
    startingFile: run.options.get("starting-file"),
    formats: readFormats(run),
    switches: showSwitches(words, run.operands),
  };
}

function readStyle(run: Run): { readonly style: Style; readonly context: number } {
  let style: Style | undefined;
  let context: number | undefined;
  const choose = (chosen: Style): void => {
    if (style !== undefined && style !== chosen)
      throw new UsageError("conflicting output style options");
    style = chosen;
  };
  const widen = (text: string): void => {
    if (text === "") return;
    if (!/^\d+$/.test(text)) throw new UsageError(`invalid context length '${text}'`);
    context = Math.max(context ?? 0, Math.min(Number(text), ENDLESS));
  };
  for (const [name, value] of run.options.sequence) {
    const chosen = styles.get(name);
    if (chosen !== undefined) choose(chosen);
    if (["unified", "context", "U", "C"].includes(name)) widen(value);
  }
  const digits = run.options.order.filter((name) => /^\d$/.test(name)).join("");
  if (digits !== "" && context === undefined) context = Math.min(Number(digits), ENDLESS);
  style ??= run.has("show-c-function") ? "context" : "normal";
  return { style, context: context ?? DEFAULT_CONTEXT };
}

const styles: ReadonlyMap<string, Style> = new Map<string, Style>([
  ["normal", "normal"],
  ["u", "unified"],
  ["unified", "unified"],
  ["U", "unified"],
  ["c", "context"],
  ["context", "context"],
  ["C", "context"],
  ["ed", "ed"],
  ["forward-ed", "forward-ed"],
  ["rcs", "rcs"],
  ["side-by-side", "side"],
  ["ifdef", "format"],
  ["line-format", "format"],
  ["old-line-format", "format"],
  ["new-line-format", "format"],
  ["unchanged-line-format", "format"],
  ["old-group-format", "format"],
  ["new-group-format", "format"],
  ["unchanged-group-format", "format"],
  ["changed-group-format", "format"],
]);

function readRules(run: Run): LineRules {
  const tabSize = readNumber(run, "tabsize", "tabsize") ?? 8;
  if (tabSize === 0) throw new UsageError("invalid tabsize '0'");
  const ignoresTabs = run.has("ignore-tab-expansion");
  const ignoresTrailing = run.has("ignore-trailing-space");
  const whiteSpace = run.has("ignore-all-space")
    ? "all"
    : run.has("ignore-space-change")
      ? "amount"
      : ignoresTabs && ignoresTrailing
        ? "tabs-and-trailing"
        : ignoresTabs
          ? "tabs"
          : ignoresTrailing
            ? "trailing"
            : "kept";
  return { ignoresCase: run.has("ignore-case"), whiteSpace, tabSize };
}

function readNumber(run: Run, option: string, what: string): number | undefined {
  const text = run.options.get(option);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || (option === "width" && Number(text) === 0))
    throw new UsageError(`invalid ${what} '${text}'`);
  return Math.min(Number(text), ENDLESS);
}

function compileLine(pattern: string): TextRegExp {
  try {
    return new TextRegExp(pattern, { syntax: "basic", flavour: "gnu" });
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    throw new UsageError(`${pattern}: ${error.message}`, { hasHint: false });
  }
}

function readFunctionLine(run: Run): TextRegExp | undefined {
  const pattern = run.options.get("show-function-line");
  if (pattern !== undefined) return compileLine(pattern);
  return run.has("show-c-function") ? compileLine("^[[:alpha:]$_]") : undefined;
}

async function readColors(run: Run): Promise<Palette | undefined> {
  const when = run.options.get("color");
  if (when === undefined) return undefined;
  if (!["", "always", "auto", "never"].includes(when))
    throw new UsageError(`invalid color '${when}'`);
  if (when !== "always") return undefined;
  const palette = readPalette(run.options.get("palette") ?? "");
  if (palette instanceof Map) return palette;
  for (const problem of palette) await run.warn(String(problem));
  return undefined;
}

function ignoresNameCase(run: Run): boolean {
  const last = run.options.last("ignore-file-name-case", "no-ignore-file-name-case");
  return last === "ignore-file-name-case";
}

async function readExcludes(run: Run): Promise<readonly ((name: string) => boolean)[]> {
  const patterns = [...run.options.all("exclude")];
  for (const file of run.options.all("exclude-from")) {
    const text = await readSmallFile(run.sys, file);
    if (text === undefined) {
      const reason = await findReason(run, file);
      throw new UsageError(`${file}: ${reason}`, { hasHint: false });
    }
    patterns.push(...text.split("\n").filter((line) => line !== ""));
  }
  return patterns.map((pattern) => {
    const ignoreCase = ignoresNameCase(run);
    const compiled = compilePattern(pattern, { ignoreCase });
    return (name) => compiled.test(name);
  });
}

async function findReason(run: Run, file: string): Promise<string> {
  try {
    await run.sys.stat(file);
  } catch (error) {
    if (isKernelError(error, "ENOENT")) return "No such file or directory";
    if (!isKernelError(error)) throw error;
  }
  return "Permission denied";
}

function readFormats(run: Run): LineFormats {
  const { options } = run;
  const line = options.get("line-format");
  const lineOf = (kind: string): string => options.get(`${kind}-line-format`) ?? line ?? "%l\n";
  const name = options.get("ifdef");
  const macro = groupsOfMacro(name);
  const changed = options.get("changed-group-format") ?? macro?.changed;
  const old = options.get("old-group-format") ?? macro?.old ?? changed ?? "%<";
  const fresh = options.get("new-group-format") ?? macro?.new ?? changed ?? "%>";
  return {
    lines: { old: lineOf("old"), new: lineOf("new"), unchanged: lineOf("unchanged") },
    groups: {
      old,
      new: fresh,
      changed: changed ?? `${old}${fresh}`,
      unchanged: options.get("unchanged-group-format") ?? "%=",
    },
  };
}

/** What `-D NAME` prints. */
function groupsOfMacro(
  name: string | undefined,
): { readonly old: string; readonly new: string; readonly changed: string } | undefined {
  if (name === undefined) return undefined;
  const safe = name.replaceAll("%", "%%");
  return {
    old: `#ifndef ${safe}\n%<#endif /* ! ${safe} */\n`,
    new: `#ifdef ${safe}\n%>#endif /* ${safe} */\n`,
    changed: `#ifndef ${safe}\n%<#else /* ${safe} */\n%>#endif /* ${safe} */\n`,
  };
}

/** The words of the command line that are no operands, as they were given. */
function showSwitches(words: readonly string[], operands: readonly string[]): string {
  const left = words.filter((word) => word !== "--");
  for (const operand of operands.toReversed()) left.splice(left.lastIndexOf(operand), 1);
  return left.map((word) => ` ${quoteArgument(word)}`).join("");
}
