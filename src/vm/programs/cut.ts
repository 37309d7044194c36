import { encodeText } from "../../kernel/index.ts";
import { ByteCutter } from "./cut-bytes.ts";
import { forEachLine, LineBlocks } from "./line-blocks.ts";
import { UsageError } from "./options.ts";
import type { Output } from "./output.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";
import { parseRanges, type Range, type RangeProblem } from "./ranges.ts";

export const main = defineProgram(
  {
    name: "cut",
    closesStdin: "-",
    usage: ["OPTION... [FILE]..."],
    summary: "Print selected parts of lines from each FILE to standard output.",
    options: [
      { short: "b", long: "bytes", value: "LIST", help: "select only these bytes" },
      { short: "c", long: "characters", value: "LIST", help: "select only these characters" },
      {
        short: "d",
        long: "delimiter",
        value: "DELIM",
        help: "use DELIM instead of TAB for field delimiter",
      },
      {
        short: "f",
        long: "fields",
        value: "LIST",
        help: "select only these fields;  also print any line\nthat contains no delimiter character, unless\nthe -s option is specified",
      },
      { short: "n", help: "(ignored)" },
      { long: "complement", help: "complement the set of selected bytes, characters\nor fields" },
      { short: "s", long: "only-delimited", help: "do not print lines not containing delimiters" },
      { long: "output-delimiter", value: "STRING", help: "use STRING as the output delimiter" },
      { short: "z", long: "zero-terminated", help: "line delimiter is NUL, not newline" },
    ],
  },
  async (run) => {
    const cut = makeCut(run);
    const end = run.has("zero-terminated") ? 0 : 10;
    await run.forEachInput(run.operands, (fd) => cut(fd, end));
  },
);

type Cut = (fd: number, end: number) => Promise<void>;

function makeCut(run: Run): Cut {
  const { options } = run;
  const kinds = options.order.filter((name) => ["bytes", "characters", "fields"].includes(name));
  const [kind] = kinds;
  if (kind === undefined)
    throw new UsageError("you must specify a list of bytes, characters, or fields");
  if (kinds.length > 1) throw new UsageError("only one list may be specified");
  if (kind !== "fields" && options.has("delimiter"))
    throw new UsageError("an input delimiter may be specified only when operating on fields");
  if (kind !== "fields" && options.has("only-delimited")) {
    throw new UsageError(
      "suppressing non-delimited lines makes sense\n\tonly when operating on fields",
    );
  }
  const list = options.get(kind) ?? "";
  const ranges = parseRanges(list, options.has("complement"));
  if ("problem" in ranges) throw new UsageError(describeProblem(ranges, kind));
  return kind === "fields" ? cutFields(run, ranges) : cutBytes(run, ranges);
}

function describeProblem({ problem, text }: RangeProblem, kind: string): string {
  const isFields = kind === "fields";
  const unit = isFields ? "fields" : "byte/character positions";
  const words = new Map([
    ["zero", `${unit} are numbered from 1`],
    ["decreasing", "invalid decreasing range"],
    ["endless", "invalid range with no endpoint: -"],
    ["dashes", isFields ? "invalid field range" : "invalid byte or character range"],
    [
      "large",
      `${isFields ? "field number" : "byte/character offset"} ${quoteName(text)} is too large`,
    ],
  ]);
  const what = isFields ? "field value" : "byte/character position";
  return words.get(problem) ?? `invalid ${what} ${quoteName(text)}`;
}

function cutFields(run: Run, ranges: readonly Range[]): Cut {
  const { out } = run;
  const delimiter = run.options.get("delimiter") ?? "\t";
  if (encodeText(delimiter).length > 1)
    throw new UsageError("the delimiter must be a single character");
  const mark = encodeText(delimiter === "" ? "\0" : delimiter);
  const [byte = 9] = mark;
  const given = run.options.get("output-delimiter");
  const between = given === "" ? Uint8Array.of(0) : encodeText(given ?? delimiter);
  const isOnly = run.has("only-delimited");
  const cutLine = (line: Uint8Array, end: number): void => {
    if (line.indexOf(byte) === -1) {
      if (isOnly) return;
      out.add(line);
      out.addByte(end);
      return;
    }
    let hasAny = false;
    let start = 0;
    for (let field = 1; start <= line.length; field++) {
      const at = line.indexOf(byte, start);
      const stop = at === -1 ? line.length : at;
      if (isSelected(ranges, field)) {
        if (hasAny) out.add(between);
        out.add(line.subarray(start, stop));
        hasAny = true;
      }
      start = stop + 1;
    }
    out.addByte(end);
  };
  return async (fd, end) => {
    const blocks = new LineBlocks(run.sys, fd, end);
    const lines = byte === end ? new LineFields(out, ranges, between) : undefined;
    for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
      forEachLine(
        block,
        (line) => (lines === undefined ? cutLine(line, end) : lines.add(line)),
        end,
      );
      if (out.isFull) await out.flush();
    }
    if (lines?.hasLines === true) out.addByte(end);
  };
}

/** Where the delimiter is what ends lines, the lines of a file are its fields. */
class LineFields {
  readonly #out: Output;
  readonly #ranges: readonly Range[];
  readonly #between: Uint8Array;
  #count = 0;
  #hasAny = false;

  constructor(out: Output, ranges: readonly Range[], between: Uint8Array) {
    this.#out = out;
    this.#ranges = ranges;
    this.#between = between;
  }

  get hasLines(): boolean {
    return this.#count > 0;
  }

  add(line: Uint8Array): void {
    this.#count += 1;
    if (!isSelected(this.#ranges, this.#count)) return;
    if (this.#hasAny) this.#out.add(this.#between);
    this.#out.add(line);
    this.#hasAny = true;
  }
}

/** Characters are bytes, as for GNU's cut. */
function cutBytes(run: Run, ranges: readonly Range[]): Cut {
  const given = run.options.get("output-delimiter");
  const between = given === undefined ? undefined : encodeText(given === "" ? "\0" : given);
  const cutter = new ByteCutter(run, ranges, between);
  return (fd, end) => cutter.cut(fd, end);
}

function isSelected(ranges: readonly Range[], number: number): boolean {
  return ranges.some(({ from, to }) => number >= from && number <= to);
}
