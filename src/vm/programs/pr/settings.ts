import { readNumber } from "../number-argument.ts";
import { type OptionRow, UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";

export const options: readonly OptionRow[] = [
  { short: "a", long: "across", help: "fill columns across rather than down" },
  { long: "columns", value: "COLUMN", help: "write COLUMN columns; also -COLUMN" },
  { short: "d", long: "double-space", help: "double space the output" },
  { short: "c", long: "show-control-chars", help: "hat notation (^G) and octal backslashes" },
  {
    short: "e",
    long: "expand-tabs",
    value: "CHAR[WIDTH]",
    isOptional: true,
    help: "expand input CHARs (TABs) to tab WIDTH (8)",
  },
  {
    short: "i",
    long: "output-tabs",
    value: "CHAR[WIDTH]",
    isOptional: true,
    help: "replace spaces with CHARs (TABs) to tab WIDTH (8)",
  },
  { short: "v", long: "show-nonprinting", help: "octal backslash notation" },
  { short: "D", long: "date-format", value: "FORMAT", help: "FORMAT for the header's date" },
  { short: "F", long: "form-feed", help: "form feeds instead of newlines between pages" },
  { short: "f", help: "same as -F" },
  { short: "h", long: "header", value: "HEADER", help: "HEADER instead of the file's name" },
  { short: "J", long: "join-lines", help: "merge full lines, without aligning columns" },
  { short: "l", long: "length", value: "LENGTH", help: "lines of a page (default 66)" },
  { short: "m", long: "merge", help: "files in parallel, one in each column" },
  {
    short: "n",
    long: "number-lines",
    value: "[SEP[DIGITS]]",
    isOptional: true,
    help: "number lines",
  },
  { short: "N", long: "first-line-number", value: "NUMBER", help: "first line's number" },
  { short: "o", long: "indent", value: "MARGIN", help: "MARGIN spaces before each line" },
  { short: "r", long: "no-file-warnings", help: "say nothing where a file cannot be opened" },
  {
    short: "s",
    long: "separator",
    value: "CHAR",
    isOptional: true,
    help: "separate columns by CHAR",
  },
  {
    short: "S",
    long: "sep-string",
    value: "STRING",
    isOptional: true,
    help: "separate columns by STRING",
  },
  { short: "t", long: "omit-header", help: "no headers and trailers" },
  { short: "T", long: "omit-pagination", help: "same as -t, and no form feeds of input" },
  { short: "w", long: "width", value: "WIDTH", help: "width of pages with columns (default 72)" },
  { short: "W", long: "page-width", value: "WIDTH", help: "width of all pages" },
  { long: "pages", value: "FIRST[:LAST]", help: "pages to write; also +FIRST[:LAST]" },
  ...Array.from("0123456789", (digit) => ({
    short: digit,
    value: "NUM",
    isOptional: true,
    help: "same as --columns",
  })),
];

export interface PrSettings {
  readonly files: readonly string[];
  readonly columns: number;
  readonly hasHeader: boolean;
  /** Rows of a page without its header and trailer. */
  readonly rows: number;
  readonly width: number;
  readonly isCut: boolean;
  readonly separator: string;
  readonly isAligned: boolean;
  readonly margin: string;
  readonly numbers: { readonly mark: string; readonly digits: number } | undefined;
  readonly firstNumber: number;
  readonly pages: readonly [number, number];
}

/** Fails with a UsageError in pr's words. */
export function readSettings(run: Run): PrSettings {
  const { options: given } = run;
  const files = run.operands.filter((word) => !/^\+\d/.test(word));
  const isMerging = run.has("merge");
  const columns = isMerging ? Math.max(1, files.length) : readColumns(run);
  const length = number(run, "length", "'-l PAGE_LENGTH' invalid number of lines", 1) ?? 66;
  const pageWidth = number(run, "page-width", "'-W PAGE_WIDTH' invalid number of characters", 1);
  const width = number(run, "width", "'-w PAGE_WIDTH' invalid number of characters", 1) ?? 72;
  const margin = number(run, "indent", "'-o MARGIN' invalid line offset", 0) ?? 0;
  const firstNumber =
    number(run, "first-line-number", "'-N NUMBER' invalid starting line number", 0) ?? 1;
  const hasHeader = !run.has("omit-header") && !run.has("omit-pagination") && length > 10;
  const marked = given.last("separator", "sep-string");
  const mark = marked === undefined ? undefined : (given.get(marked) ?? "");
  const single = marked === "separator" && mark === "" ? "\t" : mark;
  const isAligned =
    !run.has("join-lines") &&
    (marked !== "separator" || run.has("width") || pageWidth !== undefined);
  return {
    files,
    columns,
    hasHeader,
    rows: Math.max(
      1,
      Math.floor((hasHeader ? length - 10 : length) / (run.has("double-space") ? 2 : 1)),
    ),
    width: pageWidth ?? width,
    isCut: (columns > 1 || isMerging || pageWidth !== undefined) && !run.has("join-lines"),
    separator: single ?? (run.has("join-lines") ? "\t" : " "),
    isAligned,
    margin: " ".repeat(Math.min(margin, 100_000)),
    numbers: readNumbers(run),
    firstNumber,
    pages: readPages(run),
  };
}

function number(run: Run, name: string, what: string, least: number): number | undefined {
  const text = run.options.get(name);
  if (text === undefined) return undefined;
  const { value, problem } = readNumber(text);
  if (problem === undefined && value >= BigInt(least) && value <= 0x7fffffffn) return Number(value);
  const tail =
    problem === "invalid" || problem === "suffix" ? "" : ": Numerical result out of range";
  throw new UsageError(`${what}: ${quoteText(text)}${tail}`, { hasHint: false });
}

function readColumns(run: Run): number {
  const digit = run.options.order.findLast((name) => /^\d$/.test(name));
  const text =
    run.options.get("columns") ??
    (digit === undefined ? "1" : `${digit}${run.options.get(digit) ?? ""}`);
  const { value, problem } = readNumber(text);
  if (problem === undefined && value > 0n && value <= 10_000n) return Number(value);
  const tail =
    problem === "invalid" || problem === "suffix" ? "" : ": Numerical result out of range";
  throw new UsageError(`invalid number of columns: ${quoteText(text)}${tail}`, { hasHint: false });
}

function readNumbers(run: Run): PrSettings["numbers"] {
  const text = run.options.get("number-lines");
  if (text === undefined) return undefined;
  const [, mark = "", digits = ""] = /^([^\d]?)(\d*)$/.exec(text) ?? [];
  const count = digits === "" ? 5 : Number(digits);
  if (!/^[^\d]?\d*$/.test(text) || count < 1 || count > 1000) {
    throw new UsageError(
      `'-n' extra characters or invalid number in the argument: ${quoteText(text)}`,
    );
  }
  return { mark: mark === "" ? "\t" : mark, digits: count };
}

function readPages(run: Run): [number, number] {
  const plus = run.operands.find((word) => /^\+\d/.test(word))?.slice(1);
  const text = run.options.get("pages") ?? plus;
  if (text === undefined) return [1, Number.POSITIVE_INFINITY];
  const match = /^(\d+)(?::(\d+))?$/.exec(text);
  const first = Number(match?.[1] ?? 0);
  const last = match?.[2] === undefined ? Number.POSITIVE_INFINITY : Number(match[2]);
  if (match === null || first < 1 || last < first)
    throw new UsageError(`invalid page range ${quoteText(text)}`, { hasHint: false });
  return [first, last];
}
