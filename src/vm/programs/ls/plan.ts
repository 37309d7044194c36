/** What a command line of `ls` asks for. */
import { blockSizeProblem, parseBlockSize, type ShowBytes } from "../block-size.ts";
import { chooseWord, whenChoices } from "../choose-word.ts";
import { findWindowSize } from "../is-terminal.ts";
import { UsageError } from "../options.ts";
import { quoteName, type Run } from "../program.ts";
import { type QuoteStyle, quoteStyles } from "../quote-style.ts";
import { showSize } from "../show-size.ts";

export type Layout = "single" | "columns" | "across" | "commas" | "long";
export type SortKey = "name" | "none" | "size" | "time" | "version" | "extension" | "width";

export interface ListPlan {
  readonly layout: Layout;
  /** 0: no limit. */
  readonly width: number;
  readonly tabSize: number;
  readonly quoteStyle: QuoteStyle;
  readonly masksUnprintable: boolean;
  readonly indicator: "none" | "slash" | "file-type" | "classify";
  readonly isColoured: boolean;
  readonly sort: SortKey;
  readonly time: "mtime" | "atime" | "ctime";
  /** Of formatTime, or `locale`. */
  readonly timeStyle: string;
  readonly showSize: ShowBytes;
  readonly showBlocks: ShowBytes;
  /** What ends each line. */
  readonly end: string;
}

export async function readPlan(run: Run): Promise<ListPlan> {
  const { options } = run;
  const window = await findWindowSize(run.sys, 1);
  const isTerminal = window !== undefined;
  const environment = await run.sys.environ();
  const isWanted = (option: string): boolean => {
    if (!options.has(option)) return false;
    const when = chooseWord(options.get(option) || "always", `--${option}`, whenChoices);
    return when === "always" || (when === "auto" && isTerminal);
  };
  const layout = readLayout(run, isTerminal);
  const hasColours =
    environment.has("LS_COLORS") ||
    (environment.get("COLORTERM") ?? "") !== "" ||
    !["", "dumb"].includes(environment.get("TERM") ?? "");
  return {
    layout,
    width: await readWidth(run, environment.get("COLUMNS"), window?.cols),
    tabSize: readNumber(options.get("tabsize") ?? "8", "invalid tab size"),
    quoteStyle: readQuoteStyle(run, isTerminal),
    masksUnprintable: readMasking(run, isTerminal),
    indicator: readIndicator(run, isWanted("classify")),
    isColoured: isWanted("color") && hasColours,
    sort: readSort(run, layout === "long"),
    time: readTime(run),
    timeStyle: options.has("full-time") ? "full-iso" : readTimeStyle(options.get("time-style")),
    ...readSizes(run),
    end: run.has("zero") ? "\0" : "\n",
  };
}

const layoutLetters: ReadonlyMap<string, Layout> = new Map([
  ["C", "columns"],
  ["x", "across"],
  ["m", "commas"],
  ["1", "single"],
  ["zero", "single"],
]);
const layoutWords: ReadonlyMap<string, Layout> = new Map([
  ["verbose", "long"],
  ["commas", "commas"],
  ["horizontal", "across"],
  ["vertical", "columns"],
  ["single-column", "single"],
]);
const longLetters = ["l", "g", "o", "numeric-uid-gid", "full-time"];

function readLayout(run: Run, isTerminal: boolean): Layout {
  const { options } = run;
  const last = options.last(...longLetters, "C", "x", "m", "1", "format", "zero");
  if (last === undefined) {
    if (run.baseName === "vdir") return "long";
    return isTerminal || run.baseName === "dir" ? "columns" : "single";
  }
  if (last === "format") {
    const word = chooseWord(options.get("format") ?? "", "--format", [
      ["verbose", "long"],
      ["commas"],
      ["horizontal", "across"],
      ["vertical"],
      ["single-column"],
    ]);
    return layoutWords.get(word) ?? "single";
  }
  const isLong = longLetters.some((name) => options.has(name));
  if ((last === "1" || last === "zero") && isLong) return "long";
  return layoutLetters.get(last) ?? "long";
}

async function readWidth(
  run: Run,
  columns: string | undefined,
  window: number | undefined,
): Promise<number> {
  const text = run.options.get("width");
  if (text !== undefined) return readNumber(text, "invalid line width");
  if (columns !== undefined && /^[1-9]\d*$/.test(columns)) return Number(columns);
  if (columns !== undefined && columns !== "" && columns !== "0")
    await run.warn(`ignoring invalid width in environment variable COLUMNS: ${quoteName(columns)}`);
  return window === undefined || window === 0 ? 80 : window;
}

function readNumber(text: string, problem: string): number {
  if (!/^\d+$/.test(text))
    throw new UsageError(`${problem}: ${quoteName(text)}`, { hasHint: false });
  return Math.min(Number(text), 65_535);
}

const quoteLetters: ReadonlyMap<string, QuoteStyle> = new Map([
  ["escape", "escape"],
  ["literal", "literal"],
  ["quote-name", "c"],
]);

function readQuoteStyle(run: Run, isTerminal: boolean): QuoteStyle {
  const last = run.options.last("escape", "literal", "quote-name", "quoting-style");
  if (last === "quoting-style") {
    const word = chooseWord(
      run.options.get("quoting-style") ?? "",
      "--quoting-style",
      quoteStyles.map((name) => [name]),
    );
    return quoteStyles.find((name) => name === word) ?? "literal";
  }
  const style = last === undefined ? undefined : quoteLetters.get(last);
  if (style !== undefined) return style;
  if (run.baseName === "dir" || run.baseName === "vdir") return "escape";
  return isTerminal && !run.has("zero") ? "shell-escape" : "literal";
}

function readMasking(run: Run, isTerminal: boolean): boolean {
  const last = run.options.last("hide-control-chars", "show-control-chars");
  if (last !== undefined) return last === "hide-control-chars";
  return isTerminal && run.baseName === "ls" && !run.has("zero");
}

function readIndicator(run: Run, isClassifying: boolean): ListPlan["indicator"] {
  const { options } = run;
  const last = options.last("F", "classify", "file-type", "p", "indicator-style");
  if (last === "F") return "classify";
  if (last === "classify") return isClassifying ? "classify" : "none";
  if (last === "file-type") return "file-type";
  if (last === "p") return "slash";
  if (last === undefined) return "none";
  const word = chooseWord(options.get("indicator-style") ?? "", "--indicator-style", [
    ["none"],
    ["slash"],
    ["file-type"],
    ["classify"],
  ]);
  return word === "slash" || word === "file-type" || word === "classify" ? word : "none";
}

const sortLetters: ReadonlyMap<string, SortKey> = new Map([
  ["f", "none"],
  ["U", "none"],
  ["S", "size"],
  ["t", "time"],
  ["v", "version"],
  ["X", "extension"],
]);
const sortWords: readonly SortKey[] = ["none", "time", "size", "extension", "version", "width"];

function readSort(run: Run, isLong: boolean): SortKey {
  const { options } = run;
  const last = options.last("f", "U", "S", "t", "v", "X", "sort");
  if (last === "sort") {
    const word = chooseWord(
      options.get("sort") ?? "",
      "--sort",
      sortWords.map((name) => [name]),
    );
    return sortWords.find((name) => name === word) ?? "name";
  }
  const key = last === undefined ? undefined : sortLetters.get(last);
  if (key !== undefined) return key;
  const isTimed = options.has("c") || options.has("u") || options.has("time");
  return isTimed && !isLong ? "time" : "name";
}

function readTime(run: Run): ListPlan["time"] {
  const last = run.options.last("c", "u", "time");
  if (last === "c") return "ctime";
  if (last === "u") return "atime";
  if (last === undefined) return "mtime";
  const word = chooseWord(run.options.get("time") ?? "", "--time", [
    ["atime", "access", "use"],
    ["ctime", "status"],
    ["birth", "creation"],
  ]);
  return word === "atime" || word === "ctime" ? word : "mtime";
}

function readTimeStyle(text: string | undefined): string {
  const style = (text ?? "locale").replace(/^posix-/, "");
  if (style.startsWith("+") || ["full-iso", "long-iso", "iso", "locale"].includes(style))
    return style;
  throw new UsageError(
    `invalid argument ${quoteName(style)} for 'time style'\nValid arguments are:\n  - [posix-]full-iso\n  - [posix-]long-iso\n  - [posix-]iso\n  - [posix-]locale\n  - +FORMAT (e.g., +%H:%M) for a 'date'-style format`,
  );
}

function readSizes(run: Run): { showSize: ShowBytes; showBlocks: ShowBytes } {
  const last = run.options.last("human-readable", "si", "block-size");
  const inBlocks: ShowBytes = (bytes) => String(Math.ceil(bytes / 1024));
  if (last === undefined) return { showSize: String, showBlocks: inBlocks };
  if (last !== "block-size") {
    const show: ShowBytes = (bytes) => showSize(bytes, last === "si" ? 1000 : 1024);
    return { showSize: show, showBlocks: show };
  }
  const text = run.options.get("block-size") ?? "";
  const show = parseBlockSize(text);
  if (show === undefined)
    throw new UsageError(blockSizeProblem(text, "--block-size"), { hasHint: false });
  return { showSize: show, showBlocks: show };
}
