import { encodeText, isKernelError } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { quoteFile } from "./quote-text.ts";
import { readAllBytes } from "./read-all.ts";
import { isUtf8Locale } from "./regexp/characters.ts";
import { RegExpSyntaxError } from "./regexp/errors.ts";
import { LineRegExp } from "./regexp/line-regexp.ts";
import { parsePosix } from "./regexp/parse.ts";

export const main = defineProgram(
  {
    name: "tac",
    closesStdin: "-",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Write each FILE to standard output, last line first.",
    options: [
      { short: "b", long: "before", help: "the separator stands before a line, not behind it" },
      { short: "r", long: "regex", help: "the separator is a regular expression" },
      {
        short: "s",
        long: "separator",
        value: "STRING",
        help: "STRING separates instead of newline",
      },
    ],
  },
  async (run) => {
    const find = makeFinder(run, isUtf8Locale(await run.sys.environ()));
    for (const operand of run.operands.length === 0 ? ["-"] : run.operands) {
      try {
        await run.withInput(operand, async (fd) => {
          await writeBackwards(run, await readAllBytes(run.sys, fd), find);
        });
      } catch (error) {
        if (!isKernelError(error)) throw error;
        await run.out.flush();
        if (error.errno === "EISDIR")
          await run.fail(`${quoteFile(operand)}: read error: Invalid argument`);
        else if (operand === "-") await run.failOn(error, "'standard input': read error");
        else
          await run.fail(`failed to open ${quoteName(operand)} for reading: ${errorWords(error)}`);
      }
    }
  },
);

/** Where the last separator before a place starts, and its length; undefined where there is none. */
type Find = (before: number) => { readonly at: number; readonly length: number } | undefined;

function makeFinder(run: Run, isUtf8: boolean): (bytes: Uint8Array) => Find {
  const text = run.options.get("separator") ?? "\n";
  if (run.has("regex")) return regexFinder(text, isUtf8);
  const mark = encodeText(text === "" ? "\0" : text);
  const [first = 10] = mark;
  return (bytes) => (before) => {
    for (let at = before - mark.length; at >= 0; at -= 1) {
      at = bytes.lastIndexOf(first, at);
      if (at === -1) return undefined;
      if (mark.every((byte, place) => bytes[at + place] === byte))
        return { at, length: mark.length };
    }
    return undefined;
  };
}

/** Looks backwards: the separator that starts last, as long as it can be before the one found last. */
function regexFinder(source: string, isUtf8: boolean): (bytes: Uint8Array) => Find {
  if (source === "") throw new UsageError("separator cannot be empty", { hasHint: false });
  const options = { isUtf8, ignoreCase: false };
  try {
    const tree = parsePosix(source, { ...options, syntax: "emacs", flavour: "gnu" });
    const pattern = new LineRegExp(tree, { ...options, isMultiline: true, delimiter: 10 });
    return (bytes) => (before) => {
      if (!pattern.searchLast({ bytes, start: 0, end: before })) return undefined;
      return { at: pattern.matchStart, length: pattern.matchEnd - pattern.matchStart };
    };
  } catch (error) {
    if (error instanceof RegExpSyntaxError) throw new UsageError(error.message, { hasHint: false });
    throw error;
  }
}

async function writeBackwards(
  run: Run,
  bytes: Uint8Array,
  makeFind: (bytes: Uint8Array) => Find,
): Promise<void> {
  const find = makeFind(bytes);
  const isBefore = run.has("before");
  let end = bytes.length;
  let before = bytes.length;
  let isFirst = true;
  for (;;) {
    const found = find(before);
    if (found === undefined) break;
    before = found.at;
    const start = isBefore ? found.at : found.at + found.length;
    if (isBefore || !isFirst || start !== end) await run.out.write(bytes.subarray(start, end));
    isFirst = false;
    end = start;
  }
  await run.out.write(bytes.subarray(0, end));
}
