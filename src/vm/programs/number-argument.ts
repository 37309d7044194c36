/** Numbers on a command line, as GNU's xstrtoumax reads them. */
import { UsageError } from "./options.ts";
import { quoteText } from "./quote-text.ts";

export const MAX_U64 = (1n << 64n) - 1n;

export interface NumberReading {
  /** 0 where there is no number; the largest one where it is too large. */
  readonly value: bigint;
  readonly problem: "invalid" | "suffix" | "overflow" | undefined;
}

export interface NumberForm {
  /** Letters that may follow; `0` among them allows `kB` and `KiB`. */
  readonly suffixes?: string;
  /** 0x and 0 say the base, as in C. */
  readonly hasBase?: boolean;
}

const powers = "KMGTPEZY";

/** Suffixes most programs take. */
export const SIZE_SUFFIXES = "bEGKkMmPTYZ0";

/** Reads an unsigned number of 64 bits. */
export function readNumber(text: string, form: NumberForm = {}): NumberReading {
  const suffixes = form.suffixes ?? "";
  const pattern = form.hasBase === true ? /^\s*\+?(0[xX][0-9a-fA-F]+|0[0-7]*|\d+)/ : /^\s*\+?(\d+)/;
  const match = pattern.exec(text);
  const rest = match === null ? text : text.slice(match[0].length);
  if (match === null && (rest === "" || !suffixes.includes(rest.charAt(0))))
    return { value: 0n, problem: "invalid" };
  const number = match === null ? 1n : readDigits(match[1] ?? "", form.hasBase === true);
  const unit = rest === "" ? 1n : unitOf(rest, suffixes);
  if (unit === undefined) return { value: number, problem: "suffix" };
  const value = number * unit;
  return value > MAX_U64 ? { value: MAX_U64, problem: "overflow" } : { value, problem: undefined };
}

function readDigits(digits: string, hasBase: boolean): bigint {
  if (hasBase && /^0[0-7]+$/.test(digits)) return BigInt(`0o${digits.slice(1)}`);
  return BigInt(digits);
}

function unitOf(text: string, suffixes: string): bigint | undefined {
  const letter = text.charAt(0);
  if (!suffixes.includes(letter) || letter === "0") return undefined;
  const tail = text.slice(1);
  if (letter === "b") return tail === "" ? 512n : undefined;
  if (letter === "B") return tail === "" ? 1024n : undefined;
  if (letter === "c") return tail === "" ? 1n : undefined;
  if (letter === "w") return tail === "" ? 2n : undefined;
  const power = powers.indexOf(letter.toUpperCase()) + 1;
  if (tail === "") return 1024n ** BigInt(power);
  if (!suffixes.includes("0")) return undefined;
  if (tail === "iB") return 1024n ** BigInt(power);
  return tail === "B" || tail === "D" ? 1000n ** BigInt(power) : undefined;
}

/** A number for an option, in xstrtol_fatal's words: `option` is `-j` or `--skip-bytes`. */
export function optionNumber(option: string, text: string, form: NumberForm = {}): bigint {
  const { value, problem } = readNumber(text, form);
  const words = new Map([
    ["invalid", `invalid ${option} argument '${text}'`],
    ["suffix", `invalid suffix in ${option} argument '${text}'`],
    ["overflow", `${option} argument '${text}' too large`],
  ]);
  if (problem === undefined) return value;
  throw new UsageError(words.get(problem) ?? "", { hasHint: false });
}

export interface NumberRange {
  readonly least?: bigint;
  readonly most?: bigint;
  readonly suffixes?: string;
  readonly status?: number;
}

/** A number within a range, in xdectoumax's words: `what: 'text'`. */
export function rangedNumber(what: string, text: string, range: NumberRange = {}): bigint {
  const { least = 0n, most = MAX_U64 } = range;
  const { value, problem } = readNumber(text, { suffixes: range.suffixes ?? "" });
  if (problem === undefined && value >= least && value <= most) return value;
  const isRange = problem === undefined && value <= 0x3fffffffn;
  const tail =
    problem === "overflow" || (problem === undefined && !isRange)
      ? ": Value too large for defined data type"
      : isRange
        ? ": Numerical result out of range"
        : "";
  const status = range.status === undefined ? {} : { status: range.status };
  throw new UsageError(`${what}: ${quoteText(text)}${tail}`, { hasHint: false, ...status });
}

/** As a JavaScript number: what does not fit is as good as endless. */
export function asNumber(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}
