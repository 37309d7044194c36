/** awk's printf: a format read once, and the text it makes of values. */
import { AwkFatalError } from "./awk-error.ts";
import type { Charset } from "./charset.ts";
import type { NumberFormat } from "./number-text.ts";
import { floating, integer, type Spec, unsigned } from "./printf-numbers.ts";
import { InputText, toNumber, toText, type Value } from "./value.ts";

/** A width or precision: a number, or the argument that says it. */
type Size = number | "next" | { readonly position: number } | undefined;

interface Directive {
  readonly flags: string;
  readonly width: Size;
  readonly precision: Size;
  readonly conversion: string;
  /** `%2$s`. */
  readonly position: number | undefined;
  /** Where the format ran out: behind the directive. */
  readonly end: number;
}

type Piece = string | Directive;

export interface FormatContext {
  readonly charset: Charset;
  /** CONVFMT. */
  readonly format: NumberFormat;
}

/** A width is bounded: what a program holds is. */
const WIDTH_LIMIT = 16 * 1024 * 1024;
const KEPT_LIMIT = 200;

const directiveText =
  /%(?:(\d+)\$)?([-+ #0']*)(\*(?:(\d+)\$)?|\d+)?(?:\.(\*(?:(\d+)\$)?|-?\d*))?h?l?L?j?([^])/y;

/** Formats with what it has read of formats. */
export class Formatter {
  readonly #context: FormatContext;
  readonly #kept = new Map<string, readonly Piece[]>();

  constructor(context: FormatContext) {
    this.#context = context;
  }

  /** Fails with an AwkFatalError where values are missing. */
  format(format: string, values: readonly Value[]): string {
    let pieces = this.#kept.get(format);
    if (pieces === undefined) {
      if (this.#kept.size >= KEPT_LIMIT) this.#kept.clear();
      pieces = readFormat(format);
      this.#kept.set(format, pieces);
    }
    const [only] = pieces;
    if (pieces.length === 1 && typeof only === "string") return only;
    return new Formatting(this.#context, format, values).run(pieces);
  }
}

function readFormat(format: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let literal = "";
  let at = 0;
  while (at < format.length) {
    const next = format.indexOf("%", at);
    if (next === -1) break;
    literal += format.slice(at, next);
    directiveText.lastIndex = next;
    const match = directiveText.exec(format);
    if (match === null) {
      at = next;
      break;
    }
    at = next + match[0].length;
    const conversion = match[7] ?? "";
    if (conversion === "%") {
      literal += "%";
      continue;
    }
    if (!"diouxXeEfFgGaAcs".includes(conversion)) {
      literal += match[0];
      continue;
    }
    if (literal !== "") pieces.push(literal);
    literal = "";
    pieces.push(readDirective(match, at));
  }
  literal += format.slice(at);
  if (literal !== "" || pieces.length === 0) pieces.push(literal);
  return pieces;
}

function readDirective(match: RegExpExecArray, end: number): Directive {
  const [, position, flags = "", width, widthAt, precision, precisionAt, conversion = ""] = match;
  return {
    flags,
    width: readSize(width, widthAt),
    precision: readSize(precision, precisionAt),
    conversion,
    position: position === undefined ? undefined : Number(position),
    end,
  };
}

function readSize(text: string | undefined, position: string | undefined): Size {
  if (text === undefined) return undefined;
  if (position !== undefined) return { position: Number(position) };
  if (text.startsWith("*")) return "next";
  return text === "" ? 0 : text.startsWith("-") ? undefined : Number(text);
}

class Formatting {
  readonly #context: FormatContext;
  readonly #format: string;
  readonly #values: readonly Value[];
  #next = 0;

  constructor(context: FormatContext, format: string, values: readonly Value[]) {
    this.#context = context;
    this.#format = format;
    this.#values = values;
  }

  run(pieces: readonly Piece[]): string {
    let made = "";
    for (const piece of pieces) {
      made += typeof piece === "string" ? piece : this.#directive(piece);
    }
    return made;
  }

  #directive(directive: Directive): string {
    const width = this.#size(directive.width, directive) ?? 0;
    const precision = this.#size(directive.precision, directive);
    const value = this.#take(directive.position, directive);
    const flags = width < 0 ? `${directive.flags}-` : directive.flags;
    if (Math.abs(width) > WIDTH_LIMIT || (precision ?? 0) > WIDTH_LIMIT)
      throw new AwkFatalError("memory exhausted");
    return this.#convert(value, {
      flags,
      width: Math.abs(width),
      precision: precision !== undefined && precision < 0 ? undefined : precision,
      conversion: directive.conversion,
    });
  }

  #size(size: Size, directive: Directive): number | undefined {
    if (size === undefined || typeof size === "number") return size;
    const value = this.#take(size === "next" ? undefined : size.position, directive);
    return Math.trunc(toNumber(value));
  }

  #take(position: number | undefined, { end }: Directive): Value {
    if (position !== undefined) {
      if (position === 0) throw new AwkFatalError("argument index with `$' must be > 0");
      if (position > this.#values.length)
        throw new AwkFatalError(
          `argument index ${position} greater than total number of supplied arguments`,
        );
      return this.#values[position - 1];
    }
    if (this.#next >= this.#values.length) {
      const caret = " ".repeat(Math.max(0, end - 1));
      throw new AwkFatalError(
        `not enough arguments to satisfy format string\n\t\`${this.#format}'\n\t${caret}^ ran out for this one`,
      );
    }
    this.#next += 1;
    return this.#values[this.#next - 1];
  }

  #convert(value: Value, spec: Spec): string {
    switch (spec.conversion) {
      case "s":
        return this.#text(toText(value, this.#context.format), spec);
      case "c":
        return this.#character(value, spec);
      case "d":
      case "i":
        return integer(Math.trunc(toNumber(value)), spec);
      case "o":
      case "u":
      case "x":
      case "X":
        return unsigned(Math.trunc(toNumber(value)), spec);
      default:
        return floating(toNumber(value), spec);
    }
  }

  #text(text: string, spec: Spec): string {
    if (spec.width === 0 && spec.precision === undefined) return text;
    // oxlint-disable-next-line no-control-regex -- characters beyond ASCII are what is looked for
    if (/^[\x00-\ud7ff]*$/.test(text)) {
      return pad(spec.precision === undefined ? text : text.slice(0, spec.precision), spec);
    }
    const characters = [...text];
    const cut = spec.precision === undefined ? text : characters.slice(0, spec.precision).join("");
    const length = Math.min(characters.length, spec.precision ?? characters.length);
    const missing = " ".repeat(Math.max(0, spec.width - length));
    return spec.flags.includes("-") ? cut + missing : missing + cut;
  }

  #character(value: Value, spec: Spec): string {
    const isNumber =
      typeof value === "number" || (value instanceof InputText && value.number !== undefined);
    const text = isNumber
      ? this.#context.charset.character(Math.max(0, Math.trunc(toNumber(value))))
      : firstCharacter(toText(value, this.#context.format));
    return this.#text(text, { ...spec, precision: undefined });
  }
}

/** Of an empty text it is a NUL, as in C. */
function firstCharacter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0);
}

function pad(text: string, { flags, width }: Spec): string {
  return flags.includes("-") ? text.padEnd(width) : text.padStart(width);
}
