/** What `printf` makes of a format and its arguments: the builtin's and the program's. */
import { decodeText, encodeText } from "../../kernel/index.ts";
import { decodeEscapes } from "./escapes.ts";
import { cut, floating, pad, type Spec, signed, unsigned } from "./format-number.ts";

export interface PrintfOptions {
  /** How `%q` quotes. */
  readonly quote: (text: string) => string;
  /** Seconds since 1970 for `%(format)T` without an argument, and how a time is shown. */
  readonly formatTime?: (format: string, seconds: number) => string;
  /** The builtin: `\\c` in the format is text, and numbers out of range are only warned about. */
  readonly isBuiltin?: boolean;
  /** The locale has no characters beyond ASCII. */
  readonly isBytes?: boolean;
}

export interface Printed {
  readonly text: string;
  /** Mistakes in arguments, each to be said; any of them makes the status 1. */
  readonly errors: readonly string[];
  /** Said too, but no failure. */
  readonly warnings: readonly string[];
}

export function formatPrintf(
  format: string,
  values: readonly string[],
  options: PrintfOptions,
): Printed {
  return new Printer(values, options).print(format);
}

const directive =
  /%([-+ #0']*)(\*|\d+)?(?:\.(\*|-?\d*))?(?:\(([^)]*)\)(T)|(?:hh|h|ll|l|L|j|z|t)?([^]?))|\\(?:x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[^])/gu;

const conversions = "diouxXeEfFgGaAcsbqQn";

/** strftime's buffer in bash: longer times are empty. */
const TIME_LIMIT = 128;

/** Characters made at most: all are held until the end. */
const TEXT_LIMIT = 32 * 1024 * 1024;

/** A `%` that is no directive, or one that cannot be carried out. */
class BadDirective extends Error {}

class Printer {
  readonly #values: readonly string[];
  readonly #options: PrintfOptions;
  readonly #errors: string[] = [];
  readonly #warnings: string[] = [];
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
    return { text: this.#text, errors: this.#errors, warnings: this.#warnings };
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
    const [whole, flags = "", width, precision, timeFormat, time, conversion = ""] = match;
    if (whole === "%%") {
      this.#text += "%";
      return;
    }
    if (whole.startsWith("\\")) {
      this.#escape(whole);
      return;
    }
    if (time === undefined && conversion === "")
      throw new BadDirective(`\`${whole}': missing format character`);
    if (time === undefined && !conversions.includes(conversion))
      throw new BadDirective(`\`${conversion}': invalid format character`);
    const spec = this.#spec(flags, width, precision, time ?? conversion);
    this.#text +=
      time === undefined
        ? this.#convert(spec)
        : pad(spec, cut(this.#time(timeFormat ?? ""), spec.precision));
  }

  #escape(whole: string): void {
    if (whole === "\\c" && this.#options.isBuiltin === true) {
      this.#text += whole;
      return;
    }
    const { text, isCut } = decodeEscapes(whole, "printf", this.#options.isBytes);
    this.#text += text;
    this.#isCut = isCut;
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
        return pad(spec, firstByte(this.#take()));
      case "n":
        this.#take();
        return "";
      case "b": {
        const { text, isCut } = decodeEscapes(
          this.#take().replace(/\\([1-7][0-7]{0,2})/g, "\\0$1"),
          "echo",
          this.#options.isBytes,
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
        return unsigned(spec, BigInt.asUintN(64, this.#integer(this.#take(), true)));
      default:
        return floating(spec, this.#float(this.#take()));
    }
  }

  #time(format: string): string {
    const value = this.#take();
    const seconds =
      value === "" || value === "-1" || value === "-2" ? -1 : Number(this.#integer(value));
    const text = this.#options.formatTime?.(format === "" ? "%X" : format, seconds) ?? "";
    return this.#options.isBuiltin === true && text.length >= TIME_LIMIT ? "" : text;
  }

  #integer(text: string, isUnsigned = false): bigint {
    if (text === "") return 0n;
    if (/^["']/.test(text)) return BigInt(this.#codeAfterQuote(text));
    const match = /^\s*([-+]?)(0[xX][0-9A-Fa-f]+|0[0-7]*|[1-9]\d*)/.exec(text);
    if (match === null || match[0].length < text.length) this.#badNumber(text);
    if (match === null) return 0n;
    const digits = match[2] ?? "0";
    const size = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
    const value = clamp(match[1] === "-" ? -size : size, isUnsigned);
    const exact = match[1] === "-" ? -size : size;
    if (value !== exact && !(isUnsigned && size <= MOST_UNSIGNED)) this.#outOfRange(text);
    return value;
  }

  /** The number of the character after a quote; of its first byte where characters are bytes, or it is no character. */
  #codeAfterQuote(text: string): number {
    const code = text.codePointAt(1) ?? 0;
    const isByte = this.#options.isBytes === true || (code >= 0xdc80 && code <= 0xdcff);
    return isByte ? (encodeText(text)[1] ?? 0) : code;
  }

  #badNumber(text: string): void {
    const base = /^\s*[-+]?0[xX]/.test(text) ? " hex" : /^\s*[-+]?0\d/.test(text) ? " octal" : "";
    this.#errors.push(`${text}: invalid${this.#options.isBuiltin === true ? base : ""} number`);
  }

  #outOfRange(text: string): void {
    const notice = `${text}: Numerical result out of range`;
    if (this.#options.isBuiltin === true) this.#warnings.push(`warning: ${notice}`);
    else this.#errors.push(notice);
  }

  #float(text: string): number {
    if (text === "") return 0;
    if (/^["']/.test(text)) return this.#codeAfterQuote(text);
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

const MOST_SIGNED = 9223372036854775807n;
const MOST_UNSIGNED = 18446744073709551615n;

/** As strtoimax and strtoumax clamp; the latter wraps a negative number. */
function clamp(value: bigint, isUnsigned: boolean): bigint {
  if (isUnsigned) {
    const size = value < 0n ? -value : value;
    return size > MOST_UNSIGNED ? MOST_UNSIGNED : BigInt.asUintN(64, value);
  }
  if (value > MOST_SIGNED) return MOST_SIGNED;
  return value < -MOST_SIGNED - 1n ? -MOST_SIGNED - 1n : value;
}

/** `%c` shows a byte; of nothing the byte 0. */
function firstByte(text: string): string {
  return text === "" ? "\0" : decodeText(encodeText(text).subarray(0, 1));
}
