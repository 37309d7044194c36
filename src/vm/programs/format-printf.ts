/** What `printf` makes of a format and its arguments: the builtin's and the program's. */
import { decodeEscapes } from "./escapes.ts";

export interface PrintfOptions {
  /** How `%q` quotes. */
  readonly quote: (text: string) => string;
  /** Seconds since 1970 for `%(format)T` without an argument, and how a time is shown. */
  readonly formatTime?: (format: string, seconds: number) => string;
}

export interface Printed {
  readonly text: string;
  /** Mistakes in arguments, each to be said; any of them makes the status 1. */
  readonly errors: readonly string[];
}

export function formatPrintf(
  format: string,
  values: readonly string[],
  options: PrintfOptions,
): Printed {
  return new Printer(values, options).print(format);
}

const directive =
  /%(?:%|([-+ #0']*)(\*|\d+)?(?:\.(\*|-?\d*))?(?:\(([^)]*)\)(T)|(?:hh|h|ll|l|L|q|j|z|t)?([diouxXeEfFgGaAcsbqQ])))|\\(?:x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|.)|%(.?)/gsu;

interface Spec {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly conversion: string;
}

/** Characters made at most: all are held until the end. */
const TEXT_LIMIT = 32 * 1024 * 1024;

/** A `%` that is no directive, or one that cannot be carried out. */
class BadDirective extends Error {}

class Printer {
  readonly #values: readonly string[];
  readonly #options: PrintfOptions;
  readonly #errors: string[] = [];
  #next = 0;
  #text = "";
  #isCut = false;

  constructor(values: readonly string[], options: PrintfOptions) {
    this.#values = values;
    this.#options = options;
  }

  print(format: string): Printed {
    try {
      do {
        const before = this.#next;
        this.#once(format);
        if (this.#isCut || this.#next === before) break;
      } while (this.#next < this.#values.length);
    } catch (error) {
      if (!(error instanceof BadDirective)) throw error;
      this.#errors.push(error.message);
    }
    return { text: this.#text, errors: this.#errors };
  }

  /** One pass over the format. */
  #once(format: string): void {
    let at = 0;
    for (const match of format.matchAll(directive)) {
      this.#text += format.slice(at, match.index);
      at = match.index + match[0].length;
      this.#directive(match);
      if (this.#isCut) return;
    }
    this.#text += format.slice(at);
  }

  #directive(match: RegExpMatchArray): void {
    const [whole, flags = "", width, precision, timeFormat, time, conversion, bad] = match;
    if (whole === "%%") {
      this.#text += "%";
      return;
    }
    if (whole.startsWith("\\")) {
      const { text, isCut } = decodeEscapes(whole, "printf");
      this.#text += text;
      this.#isCut = isCut;
      return;
    }
    if (bad !== undefined) {
      throw new BadDirective(
        bad === "" ? "`%': missing format character" : `\`${bad}': invalid format character`,
      );
    }
    const spec = this.#spec(flags, width, precision, time ?? conversion ?? "s");
    this.#text +=
      time === undefined ? this.#convert(spec) : pad(spec, this.#time(timeFormat ?? ""));
  }

  #spec(
    flags: string,
    width: string | undefined,
    precision: string | undefined,
    conversion: string,
  ): Spec {
    const wide = width === "*" ? Number(this.#integer(this.#take())) : Number(width ?? "0");
    const exact =
      precision === "*"
        ? Number(this.#integer(this.#take()))
        : precision === undefined
          ? undefined
          : Number(precision);
    if (this.#text.length + Math.abs(wide) + (exact ?? 0) > TEXT_LIMIT)
      throw new BadDirective("Cannot allocate memory");
    return {
      flags: wide < 0 ? `${flags}-` : flags,
      width: Math.abs(wide),
      precision: exact !== undefined && exact < 0 ? undefined : exact,
      conversion,
    };
  }

  #take(): string {
    const value = this.#values[this.#next];
    if (value === undefined) return "";
    this.#next += 1;
    return value;
  }

  #convert(spec: Spec): string {
    switch (spec.conversion) {
      case "s":
        return pad(spec, cut(this.#take(), spec.precision));
      case "c":
        return pad(spec, [...this.#take()][0] ?? "");
      case "b": {
        const { text, isCut } = decodeEscapes(
          this.#take().replace(/\\([1-7][0-7]{0,2})/g, "\\0$1"),
          "echo",
        );
        this.#isCut = isCut;
        return pad(spec, cut(text, spec.precision));
      }
      case "q":
      case "Q":
        return pad(spec, cut(this.#options.quote(this.#take()), spec.precision));
      case "d":
      case "i":
        return signed(spec, this.#integer(this.#take()));
      case "o":
      case "u":
      case "x":
      case "X":
        return unsigned(spec, BigInt.asUintN(64, this.#integer(this.#take())));
      default:
        return floating(spec, this.#float(this.#take()));
    }
  }

  #time(format: string): string {
    const value = this.#take();
    const seconds =
      value === "" || value === "-1" || value === "-2" ? -1 : Number(this.#integer(value));
    return this.#options.formatTime?.(format === "" ? "%X" : format, seconds) ?? "";
  }

  #integer(text: string): bigint {
    if (text === "") return 0n;
    const quoted = /^["'](.)/su.exec(text);
    if (quoted !== null) return BigInt(quoted[1]?.codePointAt(0) ?? 0);
    const match = /^\s*([-+]?)(0[xX][0-9A-Fa-f]+|0[0-7]*|[1-9]\d*)/.exec(text);
    if (match === null) {
      this.#errors.push(`${text}: invalid number`);
      return 0n;
    }
    if (match[0].length < text.length) this.#errors.push(`${text}: invalid number`);
    const digits = match[2] ?? "0";
    const value = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
    return clamp(match[1] === "-" ? -value : value);
  }

  #float(text: string): number {
    if (text === "") return 0;
    const quoted = /^["'](.)/su.exec(text);
    if (quoted !== null) return quoted[1]?.codePointAt(0) ?? 0;
    const match =
      /^\s*[-+]?(?:0[xX][0-9A-Fa-f]+|inf(?:inity)?|nan|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/i.exec(
        text,
      );
    if (match === null || match[0].length < text.length)
      this.#errors.push(`${text}: invalid number`);
    const found = match?.[0].trim() ?? "0";
    if (/inf/i.test(found))
      return found.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    return Number(found.replace(/^\+/, ""));
  }
}

function clamp(value: bigint): bigint {
  const most = 9223372036854775807n;
  if (value > 18446744073709551615n) return most;
  return value < -most - 1n ? -most - 1n : value;
}

function cut(text: string, precision: number | undefined): string {
  return precision === undefined ? text : [...text].slice(0, precision).join("");
}

function pad({ flags, width }: Spec, text: string): string {
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  return flags.includes("-") ? text + " ".repeat(missing) : " ".repeat(missing) + text;
}

/** Pads a number: zeros go between its sign or prefix and its digits. */
function padNumber(spec: Spec, prefix: string, digits: string, canZero: boolean): string {
  const isZero = canZero && spec.flags.includes("0") && !spec.flags.includes("-");
  const missing = spec.width - prefix.length - digits.length;
  if (isZero && missing > 0) return prefix + "0".repeat(missing) + digits;
  return pad(spec, prefix + digits);
}

function signed(spec: Spec, value: bigint): string {
  const wrapped = BigInt.asIntN(64, value);
  const digits = exactDigits((wrapped < 0n ? -wrapped : wrapped).toString(), spec);
  return padNumber(spec, signOf(spec, wrapped < 0n), digits, spec.precision === undefined);
}

function unsigned(spec: Spec, value: bigint): string {
  const base = spec.conversion === "o" ? 8 : spec.conversion === "u" ? 10 : 16;
  const lower = exactDigits(value.toString(base), spec);
  const digits = spec.conversion === "X" ? lower.toUpperCase() : lower;
  if (!spec.flags.includes("#") || value === 0n || base === 10) {
    return padNumber(spec, "", digits, spec.precision === undefined);
  }
  const prefix = base === 8 ? (digits.startsWith("0") ? "" : "0") : `0${spec.conversion}`;
  return padNumber(spec, prefix, digits, spec.precision === undefined);
}

function exactDigits(digits: string, { precision }: Spec): string {
  if (precision === 0 && digits === "0") return "";
  return digits.padStart(precision ?? 0, "0");
}

function signOf({ flags }: Spec, isNegative: boolean): string {
  if (isNegative) return "-";
  return flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

function floating(spec: Spec, value: number): string {
  const isUpper = /[EFGA]/.test(spec.conversion);
  const isNegative = value < 0 || Object.is(value, -0);
  const size = Math.abs(value);
  const isFinite = Number.isFinite(size);
  const text = isFinite ? floatDigits(spec, size) : Number.isNaN(size) ? "nan" : "inf";
  return padNumber(spec, signOf(spec, isNegative), isUpper ? text.toUpperCase() : text, isFinite);
}

function floatDigits({ conversion, precision = 6, flags }: Spec, size: number): string {
  switch (conversion.toLowerCase()) {
    case "e":
      return exponent(size.toExponential(Math.min(precision, 100)));
    case "g":
      return general(size, precision === 0 ? 1 : Math.min(precision, 100), flags.includes("#"));
    case "a":
      return `0x${size.toString(16)}p+0`;
    default:
      return fixed(size, precision);
  }
}

/** Digits beyond what toFixed gives are zeros of a double's exact value, up to its limit of 100. */
function fixed(size: number, precision: number): string {
  if (size >= 1e21)
    return BigInt(size).toString() + (precision > 0 ? `.${"0".repeat(precision)}` : "");
  return size.toFixed(Math.min(precision, 100));
}

/** C has at least two digits in an exponent. */
function exponent(text: string): string {
  return text.replace(/e([-+])(\d)$/, "e$10$2");
}

function general(size: number, precision: number, keepsZeros: boolean): string {
  const power = size === 0 ? 0 : Number(size.toExponential(precision - 1).split("e")[1]);
  const text =
    power < -4 || power >= precision
      ? size.toExponential(precision - 1)
      : size.toFixed(precision - 1 - power);
  if (keepsZeros) return exponent(text);
  const [digits = "", tail] = text.split("e");
  const short = digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
  return tail === undefined ? short : exponent(`${short}e${tail}`);
}
