import { decodeText } from "../../../kernel/index.ts";
import { LineCursor } from "../line-cursor.ts";
import { UsageError } from "../options.ts";
import { defineProgram, type Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";
import { decimalText, type Fraction, humanText, readScaled, times } from "./scaled-number.ts";
import { type NumfmtSettings, readSettings } from "./settings.ts";

/** Digits that are shown without a unit, at most. */
const PLAIN_DIGITS = 18;

export const main = defineProgram(
  {
    name: "numfmt",
    usage: ["[OPTION]... [NUMBER]..."],
    summary: "Reformat NUMBERs, or the numbers on standard input.",
    options: [
      { long: "debug", help: "warn about invalid input" },
      {
        short: "d",
        long: "delimiter",
        value: "X",
        help: "X separates fields instead of white space",
      },
      { long: "field", value: "FIELDS", help: "replace the numbers in these fields (default 1)" },
      { long: "format", value: "FORMAT", help: "printf's %f, with width, precision, 0, - and '" },
      { long: "from", value: "UNIT", help: "read units: none, auto, si, iec, iec-i" },
      { long: "from-unit", value: "N", help: "the input's unit size" },
      { long: "grouping", help: "group digits as the locale does" },
      { long: "header", value: "N", isOptional: true, help: "leave the first N lines as they are" },
      { long: "invalid", value: "MODE", help: "at a bad number: abort, fail, warn, ignore" },
      { long: "padding", value: "N", help: "pad to N characters, left-aligned if negative" },
      { long: "round", value: "METHOD", help: "up, down, from-zero, towards-zero, nearest" },
      { long: "suffix", value: "SUFFIX", help: "add SUFFIX, and accept it in input" },
      { long: "to", value: "UNIT", help: "write units: none, si, iec, iec-i" },
      { long: "to-unit", value: "N", help: "the output's unit size" },
      { short: "z", long: "zero-terminated", help: "lines end with NUL, not newline" },
    ],
  },
  async (run) => {
    const settings = readSettings(run);
    await warnAtDebug(run, settings);
    const formatting = new Formatting(run, settings);
    const end = run.has("zero-terminated") ? 0 : 10;
    for (const operand of run.operands) await formatting.line(operand, end, true);
    if (run.operands.length > 0) return run.status;
    const lines = new LineCursor(run.sys, 0, end);
    for (let number = 0; lines.tryAdvance() || (await lines.advance()); number++) {
      if (number < settings.header) {
        run.out.add(lines.line);
        run.out.addByte(end);
      } else await formatting.line(decodeText(lines.line), end, lines.hasDelimiter);
      if (run.out.isFull) await run.out.flush();
    }
    return run.status;
  },
);

async function warnAtDebug(run: Run, settings: NumfmtSettings): Promise<void> {
  if (!run.has("debug")) return;
  const isIdle =
    settings.from === "none" &&
    settings.to === "none" &&
    !run.has("grouping") &&
    settings.padding === 0;
  if (isIdle) await run.warn("no conversion option specified");
  if (settings.header > 0 && run.operands.length > 0)
    await run.warn("--header ignored with command-line input");
}

class Formatting {
  readonly #run: Run;
  readonly #settings: NumfmtSettings;

  constructor(run: Run, settings: NumfmtSettings) {
    this.#run = run;
    this.#settings = settings;
  }

  async line(text: string, end: number, hasEnd: boolean): Promise<void> {
    const { delimiter } = this.#settings;
    const fields = delimiter === undefined ? splitBlanks(text) : text.split(delimiter);
    const shown: string[] = [];
    for (const [at, field] of fields.entries()) shown.push(await this.#field(field, at + 1));
    this.#run.out.addText(shown.join(delimiter ?? " "));
    if (hasEnd) this.#run.out.addByte(end);
  }

  async #field(text: string, number: number): Promise<string> {
    const { fields } = this.#settings;
    if (!fields.some(({ from, to }) => number >= from && number <= to)) return text;
    const made = this.#format(text, number);
    if (typeof made !== "string") return made.shown;
    const { invalid } = this.#settings;
    if (invalid === "abort") throw new UsageError(made, { status: 2, hasHint: false });
    if (invalid !== "ignore") await this.#run.warn(made);
    if (invalid === "fail") this.#run.status = 2;
    return text;
  }

  /** The field anew, or a sentence of what is wrong with it. */
  #format(text: string, number: number): { readonly shown: string } | string {
    const settings = this.#settings;
    const bare = text.replace(/^[ \t]+/, "");
    const isPadded = settings.padding === 0 && settings.delimiter === undefined;
    const width = isPadded
      ? bare.length < text.length || number > 1
        ? text.length
        : 0
      : settings.padding;
    const { suffix } = settings;
    const digits = suffix !== "" && bare.endsWith(suffix) ? bare.slice(0, -suffix.length) : bare;
    const read = readScaled(digits, settings.from);
    if (typeof read === "string") return describe(read, digits);
    const value = times(read.value, settings.fromUnit, settings.toUnit);
    const isInteger = settings.fromUnit !== 1n || settings.toUnit !== 1n;
    const made = this.#show(value, isInteger && read.precision === 0 ? 0 : read.precision);
    if (made.problem !== undefined) return made.problem;
    return { shown: this.#pad(`${made.text}${suffix}`, width) };
  }

  #show(value: Fraction, precision: number): { readonly text: string; readonly problem?: string } {
    const { to, rounding, precision: asked } = this.#settings;
    if (to !== "none") {
      const text = humanText(value, { scale: to, rounding, precision: asked });
      if (text !== undefined) return { text };
      return {
        text: "",
        problem: `value too large to be printed: '${general(value)}' (cannot handle values > 999Y)`,
      };
    }
    const digits = asked ?? precision;
    const text = decimalText(value, digits, rounding);
    if (text.replace(/^-/, "").replace(".", "").length <= PLAIN_DIGITS + 1) return { text };
    const shown = digits === 0 ? `'${general(value)}'` : `'${general(value)}/${digits}'`;
    const what = digits === 0 ? "value" : "value/precision";
    return { text, problem: `${what} too large to be printed: ${shown} (consider using --to)` };
  }

  #pad(shown: string, width: number): string {
    const { isLeft, isZeroPadded, before, behind } = this.#settings;
    const sign = isZeroPadded && shown.startsWith("-") ? "-" : "";
    const padded = isLeft
      ? shown.padEnd(width)
      : isZeroPadded
        ? `${sign}${shown.slice(sign.length).padStart(width - sign.length, "0")}`
        : shown.padStart(width);
    return `${before}${padded}${behind}`;
  }
}

/** Each but the first keeps the blanks before it, but for the one that separates. */
function splitBlanks(text: string): string[] {
  const fields: string[] = [];
  let rest = text;
  for (;;) {
    const match = /^[ \t]*[^ \t]*/.exec(rest)?.[0] ?? "";
    fields.push(match);
    if (match.length === rest.length) return fields;
    rest = rest.slice(match.length + 1);
  }
}

function describe(problem: string, text: string): string {
  if (problem.startsWith("rest:"))
    return `invalid suffix in input ${quoteText(text)}: ${quoteText(problem.slice(5))}`;
  const tails = new Map([
    ["rejecting suffix in input: ", " (consider using --from)"],
    ["missing 'i' suffix in input: ", " (e.g Ki/Mi/Gi)"],
  ]);
  return `${problem}${quoteText(text)}${tails.get(problem) ?? ""}`;
}

/** As %Lg shows it. */
function general({ numerator, denominator }: Fraction): string {
  const value = Number(numerator) / Number(denominator);
  return value
    .toPrecision(6)
    .replace(/\.?0+(?=e|$)/, "")
    .replace(/e\+(\d)$/, "e+0$1");
}
