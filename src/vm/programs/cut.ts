import { decodeText, encodeText } from "../../kernel/index.ts";
import { forEachLine, LineBlocks } from "./line-blocks.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";
import { parseRanges, type Range } from "./ranges.ts";

export const main = defineProgram(
  {
    name: "cut",
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
    await run.forEachInput(run.operands, async (fd) => {
      const blocks = new LineBlocks(run.sys, fd, end);
      for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
        forEachLine(block, (line) => cut(line, end), end);
        if (run.out.isFull) await run.out.flush();
      }
    });
  },
);

type Cut = (line: Uint8Array, end: number) => void;

function makeCut(run: Run): Cut {
  const { options } = run;
  const kinds = ["bytes", "characters", "fields"].filter((name) => options.has(name));
  const [kind] = kinds;
  if (kind === undefined)
    throw new UsageError("you must specify a list of bytes, characters, or fields");
  if (kinds.length > 1) throw new UsageError("only one type of list may be specified");
  if (kind !== "fields" && options.has("delimiter"))
    throw new UsageError("an input delimiter may be specified only when operating on fields");
  if (kind !== "fields" && options.has("only-delimited")) {
    throw new UsageError(
      "suppressing non-delimited lines makes sense\n\tonly when operating on fields",
    );
  }
  const list = options.get(kind) ?? "";
  const ranges = parseRanges(list, options.has("complement"));
  if (typeof ranges === "string") throw new UsageError(describeProblem(ranges, kind, list));
  return kind === "fields" ? cutFields(run, ranges) : cutBytes(run, ranges, kind);
}

function describeProblem(problem: string, kind: string, list: string): string {
  const unit = kind === "fields" ? "fields" : "byte/character positions";
  if (problem === "zero")
    return kind === "fields"
      ? "fields are numbered from 1"
      : "byte/character positions are numbered from 1";
  if (problem === "decreasing") return "invalid decreasing range";
  return kind === "fields"
    ? `invalid field value ${quoteName(list)}`
    : `invalid ${unit.replace("positions", "position")} ${quoteName(list)}`;
}

function cutFields(run: Run, ranges: readonly Range[]): Cut {
  const { out } = run;
  const delimiter = run.options.get("delimiter") ?? "\t";
  if ([...delimiter].length > 1) throw new UsageError("the delimiter must be a single character");
  const mark = encodeText(delimiter === "" ? "\0" : delimiter);
  const [byte = 9] = mark;
  const between = encodeText(run.options.get("output-delimiter") ?? delimiter);
  const isOnly = run.has("only-delimited");
  return (line, end) => {
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
}

function cutBytes(run: Run, ranges: readonly Range[], kind: string): Cut {
  const { out } = run;
  const between = run.options.get("output-delimiter");
  return (line, end) => {
    const text = kind === "characters" ? decodeText(line) : "";
    const isWide = kind === "characters" && text.length !== line.length;
    const characters = isWide ? [...text] : [];
    const size = isWide ? characters.length : line.length;
    for (const [at, { from, to }] of ranges.entries()) {
      if (from > size) break;
      if (at > 0 && between !== undefined) out.addText(between);
      if (isWide) out.addText(characters.slice(from - 1, to).join(""));
      else out.add(line.subarray(from - 1, Math.min(to, size)));
    }
    out.addByte(end);
  };
}

function isSelected(ranges: readonly Range[], number: number): boolean {
  return ranges.some(({ from, to }) => number >= from && number <= to);
}
