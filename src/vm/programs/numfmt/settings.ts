import { readNumber } from "../number-argument.ts";
import { UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";
import { parseRanges, type Range } from "../ranges.ts";
import type { Rounding, Scale } from "./scaled-number.ts";

export interface NumfmtSettings {
  readonly from: Scale;
  readonly to: Scale;
  readonly fromUnit: bigint;
  readonly toUnit: bigint;
  readonly rounding: Rounding;
  readonly suffix: string;
  readonly padding: number;
  readonly isLeft: boolean;
  readonly isZeroPadded: boolean;
  /** Before and behind the number. */
  readonly before: string;
  readonly behind: string;
  readonly precision: number | undefined;
  readonly fields: readonly Range[];
  readonly delimiter: string | undefined;
  readonly header: number;
  readonly invalid: "abort" | "fail" | "warn" | "ignore";
}

/** Fails with a UsageError in numfmt's words. */
export function readSettings(run: Run): NumfmtSettings {
  const { options } = run;
  const from = choose(run, "from", ["none", "auto", "si", "iec", "iec-i"], "none");
  const to = choose(run, "to", ["none", "si", "iec", "iec-i"], "none");
  const rounding = choose(
    run,
    "round",
    ["up", "down", "from-zero", "towards-zero", "nearest"],
    "from-zero",
  );
  const invalid = choose(run, "invalid", ["abort", "fail", "warn", "ignore"], "abort");
  const padding = readPadding(options.get("padding"));
  const fields = readFields(options.get("field") ?? "1");
  const delimiter = options.get("delimiter");
  if (delimiter !== undefined && [...delimiter].length > 1)
    throw new UsageError("the delimiter must be a single character", { hasHint: false });
  const header = readHeader(options.get("header"), run.has("header"));
  const fromUnit = readUnit(options.get("from-unit"));
  const toUnit = readUnit(options.get("to-unit"));
  if (run.has("format") && run.has("grouping"))
    throw new UsageError("--grouping cannot be combined with --format", { hasHint: false });
  const format = readFormat(options.get("format"));
  if ((run.has("grouping") || format.isGrouped) && to !== "none")
    throw new UsageError("grouping cannot be combined with --to", { hasHint: false });
  const width = format.padding === 0 ? padding : format.padding;
  return {
    from,
    to,
    fromUnit,
    toUnit,
    rounding,
    suffix: options.get("suffix") ?? "",
    padding: Math.abs(width),
    isLeft: width < 0,
    isZeroPadded: format.isZeroPadded,
    before: format.before,
    behind: format.behind,
    precision: format.precision,
    fields,
    delimiter,
    header,
    invalid,
  };
}

function choose<T extends string>(run: Run, name: string, words: readonly T[], usual: T): T {
  const text = run.options.get(name);
  if (text === undefined) return usual;
  const exact = words.find((word) => word === text);
  const matching = words.filter((word) => word.startsWith(text));
  const [only] = matching;
  if (exact !== undefined) return exact;
  if (only !== undefined && matching.length === 1) return only;
  const problem = matching.length > 1 ? "ambiguous" : "invalid";
  const valid = words.map((word) => `  - '${word}'`).join("\n");
  throw new UsageError(
    `${problem} argument ${quoteText(text)} for '--${name}'\nValid arguments are:\n${valid}`,
  );
}

function readPadding(text: string | undefined): number {
  if (text === undefined) return 0;
  const value = Number(/^-?\d+$/.test(text) ? text : "0");
  if (value === 0 || Math.abs(value) > 1_000_000)
    throw new UsageError(`invalid padding value ${quoteText(text)}`, { hasHint: false });
  return value;
}

function readFields(text: string): Range[] {
  if (text === "-") return [{ from: 1, to: Number.POSITIVE_INFINITY }];
  const ranges = parseRanges(text, false);
  if (!("problem" in ranges)) return ranges;
  const words = new Map([
    ["zero", "fields are numbered from 1"],
    ["decreasing", "invalid decreasing range"],
    ["dashes", "invalid field range"],
    ["large", `field number ${quoteText(ranges.text)} is too large`],
  ]);
  throw new UsageError(
    words.get(ranges.problem) ?? `invalid field value ${quoteText(ranges.text)}`,
  );
}

function readHeader(text: string | undefined, isGiven: boolean): number {
  if (!isGiven || text === undefined || text === "") return isGiven ? 1 : 0;
  const { value, problem } = readNumber(text);
  if (problem !== undefined || value === 0n)
    throw new UsageError(`invalid header value ${quoteText(text)}`, { hasHint: false });
  return Number(value);
}

function readUnit(text: string | undefined): bigint {
  if (text === undefined) return 1n;
  const match = /^(\d*)([KMGTPEZY]?)(i?)$/.exec(text);
  const [, digits = "", letter = "", i = ""] = match ?? [];
  const power = letter === "" ? 0 : "KMGTPEZY".indexOf(letter) + 1;
  const value =
    BigInt(digits === "" && letter !== "" ? "1" : digits) *
    (i === "" ? 1000n : 1024n) ** BigInt(power);
  if (match === null || value === 0n || (i !== "" && letter === ""))
    throw new UsageError(`invalid unit size: ${quoteText(text)}`, { hasHint: false });
  return value;
}

interface Format {
  readonly before: string;
  readonly behind: string;
  readonly padding: number;
  readonly precision: number | undefined;
  readonly isGrouped: boolean;
  readonly isZeroPadded: boolean;
}

function readFormat(text: string | undefined): Format {
  const plain = { before: "", behind: "", padding: 0, precision: undefined };
  if (text === undefined) return { ...plain, isGrouped: false, isZeroPadded: false };
  const refuse = (message: string): UsageError => new UsageError(message, { hasHint: false });
  const match = /^((?:[^%]|%%)*)%([ '0]*)(-?\d*)(?:\.(\d*))?(.?)([^]*)$/.exec(text);
  if (match === null) {
    throw refuse(
      text.replaceAll("%%", "").endsWith("%")
        ? `format ${quoteText(text)} ends in %`
        : `format ${quoteText(text)} has no % directive`,
    );
  }
  const [, before = "", flags = "", width = "", precision, letter = "", behind = ""] = match;
  if (letter !== "f") {
    throw refuse(
      letter === "" && width === "" && flags === ""
        ? `format ${quoteText(text)} ends in %`
        : `invalid format ${quoteText(text)}, directive must be %[0]['][-][N][.][N]f`,
    );
  }
  if (/%/.test(behind.replaceAll("%%", "")))
    throw refuse(`format ${quoteText(text)} has too many % directives`);
  return {
    before,
    behind,
    padding: width === "" || width === "-" ? 0 : Number(width),
    precision: precision === undefined ? undefined : Math.min(Number(precision), 1000),
    isGrouped: flags.includes("'"),
    isZeroPadded: flags.includes("0"),
  };
}
