import { decodeText, encodeText } from "../../kernel/index.ts";
import { LineCursor } from "./line-cursor.ts";
import { asNumber, rangedNumber } from "./number-argument.ts";
import { UsageError } from "./options.ts";
import { defineProgram, type Run } from "./program.ts";
import { quoteText } from "./quote-text.ts";
import { isUtf8Locale } from "./regexp/characters.ts";
import { RegExpSyntaxError } from "./regexp/errors.ts";
import { TextRegExp } from "./regexp/text-regexp.ts";

export const main = defineProgram(
  {
    name: "nl",
    closesStdin: "-",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Write each FILE to standard output, with line numbers added.",
    options: [
      {
        short: "b",
        long: "body-numbering",
        value: "STYLE",
        help: "STYLE for body lines: a all, t not empty,\nn none, pBRE those that match",
      },
      {
        short: "d",
        long: "section-delimiter",
        value: "CC",
        help: "use CC for logical page delimiters",
      },
      { short: "f", long: "footer-numbering", value: "STYLE", help: "STYLE for footer lines" },
      { short: "h", long: "header-numbering", value: "STYLE", help: "STYLE for header lines" },
      { short: "i", long: "line-increment", value: "NUMBER", help: "step of the line numbers" },
      {
        short: "l",
        long: "join-blank-lines",
        value: "NUMBER",
        help: "NUMBER empty lines count as one",
      },
      {
        short: "n",
        long: "number-format",
        value: "FORMAT",
        help: "ln left, rn right, rz right with zeros",
      },
      { short: "p", long: "no-renumber", help: "do not start anew on each page" },
      { short: "s", long: "number-separator", value: "STRING", help: "STRING behind the number" },
      { short: "v", long: "starting-line-number", value: "NUMBER", help: "first line number" },
      { short: "w", long: "number-width", value: "NUMBER", help: "columns of the numbers" },
    ],
  },
  async (run) => {
    const numbering = new Numbering(await readSettings(run), run);
    await run.forEachInput(run.operands, (fd) => numbering.copy(fd));
  },
);

type Style = (line: Uint8Array) => boolean | "blank";

interface Settings {
  readonly styles: Readonly<Record<"header" | "body" | "footer", Style>>;
  readonly delimiters: Readonly<Record<"header" | "body" | "footer", string>>;
  readonly start: bigint;
  readonly step: bigint;
  readonly joined: number;
  readonly format: string;
  readonly separator: string;
  readonly width: number;
  readonly isContinuous: boolean;
}

/** What is wrong with styles and the format is said together, at the end. */
async function readSettings(run: Run): Promise<Settings> {
  const { options } = run;
  const problems: string[] = [];
  const isUtf8 = isUtf8Locale(await run.sys.environ());
  const style = (part: string, usual: string): Style => {
    const text = options.get(`${part}-numbering`) ?? usual;
    const made = makeStyle(text, isUtf8);
    if (made === undefined) problems.push(`invalid ${part} numbering style: ${quoteText(text)}`);
    return made ?? (() => false);
  };
  const number = (name: string, words: string, range: { least?: bigint; most?: bigint }): bigint =>
    rangedInteger(`invalid ${words}`, options.get(name), range);
  const start = number("starting-line-number", "starting line number", {});
  const step = number("line-increment", "line number increment", {});
  const joined = number("join-blank-lines", "line number of blank lines", { least: 1n });
  const width = number("number-width", "line number field width", { least: 1n, most: 0x7fffffffn });
  const styles = {
    body: style("body", "t"),
    header: style("header", "n"),
    footer: style("footer", "n"),
  };
  const format = options.get("number-format") ?? "rn";
  if (!["ln", "rn", "rz"].includes(format))
    problems.push(`invalid line numbering format: ${quoteText(format)}`);
  for (const problem of problems) await run.warn(problem);
  if (problems.length > 0) throw new UsageError("");
  return {
    styles,
    delimiters: makeDelimiters(options.get("section-delimiter")),
    start,
    step,
    joined: asNumber(joined),
    format,
    separator: options.get("number-separator") ?? "\t",
    width: Math.min(asNumber(width), 1 << 20),
    isContinuous: options.has("no-renumber"),
  };
}

function rangedInteger(
  what: string,
  text: string | undefined,
  range: { least?: bigint; most?: bigint },
): bigint {
  if (text === undefined) return what.includes("width") ? 6n : 1n;
  const isNegative = /^\s*-\d/.test(text) && range.least === undefined;
  if (!isNegative) return rangedNumber(what, text, { most: (1n << 63n) - 1n, ...range });
  const size = rangedNumber(what, text.replace("-", ""), { most: 1n << 63n });
  return -size;
}

/** One character is followed by a colon; an empty one turns sections off. */
function makeDelimiters(text: string | undefined): Settings["delimiters"] {
  const pair = text === undefined ? "\\:" : text.length === 1 ? `${text}:` : text;
  return { header: pair.repeat(3), body: pair.repeat(2), footer: pair };
}

function makeStyle(text: string, isUtf8: boolean): Style | undefined {
  const kind = text.charAt(0);
  if (kind === "p") {
    try {
      const pattern = new TextRegExp(text.slice(1), { syntax: "basic", flavour: "gnu", isUtf8 });
      return (line) => pattern.test(decodeText(line));
    } catch (error) {
      if (error instanceof RegExpSyntaxError)
        throw new UsageError(error.message, { hasHint: false });
      throw error;
    }
  }
  if (kind === "a") return (line) => (line.length === 0 ? "blank" : true);
  if (kind === "t") return (line) => line.length > 0;
  return kind === "n" ? () => false : undefined;
}

const LARGEST = (1n << 63n) - 1n;

class Numbering {
  readonly #settings: Settings;
  readonly #run: Run;
  readonly #separator: Uint8Array;
  readonly #indent: Uint8Array;
  #number: bigint;
  #blanks = 0;
  #style: Style;

  constructor(settings: Settings, run: Run) {
    this.#settings = settings;
    this.#run = run;
    this.#number = settings.start;
    this.#style = settings.styles.body;
    this.#separator = encodeText(settings.separator);
    this.#indent = encodeText(" ".repeat(settings.width + this.#separator.length));
  }

  async copy(fd: number): Promise<void> {
    const { out } = this.#run;
    const lines = new LineCursor(this.#run.sys, fd);
    while (lines.tryAdvance() || (await lines.advance())) {
      this.#line(lines.line);
      if (out.isFull) await out.flush();
    }
  }

  #line(line: Uint8Array): void {
    const { out } = this.#run;
    const section = this.#sectionOf(line);
    if (section !== undefined) {
      this.#style = this.#settings.styles[section];
      if (!this.#settings.isContinuous) this.#number = this.#settings.start;
      out.addByte(10);
      return;
    }
    if (this.#isNumbered(line)) this.#writeNumber();
    else out.add(this.#indent);
    out.add(line);
    out.addByte(10);
  }

  #sectionOf(line: Uint8Array): "header" | "body" | "footer" | undefined {
    const { header, body, footer } = this.#settings.delimiters;
    if (footer === "" || line.length < 2 || line.length > encodeText(header).length)
      return undefined;
    const text = decodeText(line);
    if (text === header) return "header";
    if (text === body) return "body";
    return text === footer ? "footer" : undefined;
  }

  /** Of empty lines only every so many, where all lines have numbers. */
  #isNumbered(line: Uint8Array): boolean {
    const answer = this.#style(line);
    if (answer !== "blank") {
      if (answer) this.#blanks = 0;
      return answer;
    }
    this.#blanks += 1;
    if (this.#blanks < this.#settings.joined) return false;
    this.#blanks = 0;
    return true;
  }

  #writeNumber(): void {
    if (this.#number > LARGEST) throw new UsageError("line number overflow", { hasHint: false });
    const { format, width, step } = this.#settings;
    this.#run.out.addText(showNumber(this.#number, format, width));
    this.#run.out.add(this.#separator);
    this.#number += step;
  }
}

function showNumber(number: bigint, format: string, width: number): string {
  const text = String(number);
  if (format === "ln") return text.padEnd(width);
  if (format === "rn") return text.padStart(width);
  if (number >= 0n) return text.padStart(width, "0");
  return `-${text.slice(1).padStart(width - 1, "0")}`;
}
