import {
  decodeText,
  encodeText,
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_TRUNC,
  O_WRONLY,
} from "../../kernel/index.ts";
import { mergeSort } from "./merge-sort.ts";
import { UsageError } from "./options.ts";
import { writeAll } from "./output.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import { readAllBytes } from "./read-all.ts";
import { parseKey, type SortKey } from "./sort-keys.ts";
import { compareRows, isPlainOrder, makeRows, type SortOrder } from "./sort-order.ts";

/** What sort(1) answers when something went wrong; a `-c` that finds disorder is 1. */
const FAILED = 2;

export const main = defineProgram(
  {
    name: "sort",
    usage: ["[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"],
    summary: "Write sorted concatenation of all FILE(s) to standard output.",
    options: [
      { short: "b", long: "ignore-leading-blanks", help: "ignore leading blanks" },
      {
        short: "d",
        long: "dictionary-order",
        help: "consider only blanks and alphanumeric characters",
      },
      { short: "f", long: "ignore-case", help: "fold lower case to upper case characters" },
      {
        short: "g",
        long: "general-numeric-sort",
        help: "compare according to general numerical value",
      },
      { short: "i", long: "ignore-nonprinting", help: "consider only printable characters" },
      { short: "M", long: "month-sort", help: "compare (unknown) < 'JAN' < ... < 'DEC'" },
      {
        short: "h",
        long: "human-numeric-sort",
        help: "compare human readable numbers (e.g., 2K 1G)",
      },
      { short: "n", long: "numeric-sort", help: "compare according to string numerical value" },
      { short: "R", long: "random-sort", help: "shuffle, but group identical keys" },
      { short: "r", long: "reverse", help: "reverse the result of comparisons" },
      {
        long: "sort",
        value: "WORD",
        help: "sort according to WORD: general-numeric -g,\nhuman-numeric -h, month -M, numeric -n, random -R, version -V",
      },
      { short: "V", long: "version-sort", help: "natural sort of (version) numbers within text" },
      {
        short: "c",
        long: "check",
        value: "diagnose-first",
        isOptional: true,
        help: "check for sorted input; do not sort",
      },
      { short: "C", help: "like -c, but do not report first bad line" },
      {
        short: "k",
        long: "key",
        value: "KEYDEF",
        help: "sort via a key; KEYDEF gives location and type",
      },
      { short: "m", long: "merge", help: "merge already sorted files; do not sort" },
      {
        short: "o",
        long: "output",
        value: "FILE",
        help: "write result to FILE instead of standard output",
      },
      { short: "s", long: "stable", help: "stabilize sort by disabling last-resort comparison" },
      { short: "S", long: "buffer-size", value: "SIZE", help: "(ignored)" },
      {
        short: "t",
        long: "field-separator",
        value: "SEP",
        help: "use SEP instead of non-blank to blank transition",
      },
      { short: "T", long: "temporary-directory", value: "DIR", help: "(ignored)" },
      { long: "parallel", value: "N", help: "(ignored)" },
      {
        short: "u",
        long: "unique",
        help: "with -c, check for strict ordering;\nwithout -c, output only the first of an equal run",
      },
      { short: "z", long: "zero-terminated", help: "line delimiter is NUL, not newline" },
    ],
    refusal: FAILED,
  },
  async (run) => {
    const order = readOrder(run);
    const delimiter = run.has("zero-terminated") ? "\0" : "\n";
    const lines: string[] = [];
    for (const operand of run.operands.length === 0 ? ["-"] : run.operands) {
      try {
        await run.withInput(operand, async (fd) => {
          addLines(lines, decodeText(await readAllBytes(run.sys, fd)), delimiter);
        });
      } catch (error) {
        if (!isKernelError(error)) throw error;
        const verb = error.errno === "EISDIR" ? "read failed" : "cannot read";
        await run.fail(`${verb}: ${operand}: ${errorWords(error)}`, FAILED);
        return FAILED;
      }
    }
    if (run.has("check") || run.has("C")) return check(run, lines, order);
    await write(run, await sortLines(run, lines, order), delimiter);
    return undefined;
  },
);

function addLines(lines: string[], text: string, delimiter: string): void {
  if (text === "") return;
  const body = text.endsWith(delimiter) ? text.slice(0, -1) : text;
  for (const line of body.split(delimiter)) lines.push(line);
}

const words = new Map([
  ["general-numeric", "g"],
  ["human-numeric", "h"],
  ["month", "M"],
  ["numeric", "n"],
  ["random", "R"],
  ["version", "V"],
]);

function readOrder(run: Run): SortOrder {
  const { options } = run;
  const word = options.get("sort");
  const flag = (name: string, letter: string): string => (options.has(name) ? letter : "");
  const letters = [
    flag("ignore-leading-blanks", "b"),
    flag("dictionary-order", "d"),
    flag("ignore-case", "f"),
    flag("general-numeric-sort", "g"),
    flag("ignore-nonprinting", "i"),
    flag("month-sort", "M"),
    flag("human-numeric-sort", "h"),
    flag("numeric-sort", "n"),
    flag("random-sort", "R"),
    flag("version-sort", "V"),
    flag("reverse", "r"),
    word === undefined ? "" : (words.get(word) ?? ""),
  ].join("");
  const separator = options.get("field-separator");
  const tab = separator === "\\0" ? "\0" : separator;
  if (tab === "") throw new UsageError("empty tab", { hasHint: false });
  if (tab !== undefined && [...tab].length > 1)
    throw new UsageError(`multi-character tab '${tab}'`, { hasHint: false });
  const keys = options.all("key").map((text): SortKey => {
    const key = parseKey(text, letters);
    if (typeof key === "string") throw new UsageError(key, { hasHint: false });
    return key;
  });
  return {
    keys,
    letters,
    separator: tab,
    isStable: options.has("stable") || options.has("unique"),
    isUnique: options.has("unique"),
  };
}

async function sortLines(
  run: Run,
  lines: readonly string[],
  order: SortOrder,
): Promise<readonly string[]> {
  if (isPlainOrder(order)) {
    const sorted = await mergeSort(run.sys, lines, (a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return order.isUnique
      ? sorted.filter((line, at) => at === 0 || line !== sorted[at - 1])
      : sorted;
  }
  const compare = compareRows(order);
  const rows = await mergeSort(run.sys, lines.map(makeRows(order)), compare);
  const kept = order.isUnique
    ? rows.filter((row, at) => {
        const before = rows[at - 1];
        return before === undefined || compare(before, row) !== 0;
      })
    : rows;
  return kept.map(({ line }) => line);
}

async function check(run: Run, lines: readonly string[], order: SortOrder): Promise<number> {
  const compare = compareRows(order);
  const rows = lines.map(makeRows(order));
  for (let at = 1; at < rows.length; at++) {
    const [before, row] = rows.slice(at - 1, at + 1);
    const difference = before === undefined || row === undefined ? 0 : compare(before, row);
    if (difference < 0 || (difference === 0 && !order.isUnique)) continue;
    const name = run.operands[0] ?? "-";
    if (!run.has("C")) await run.warn(`${name}:${at + 1}: disorder: ${lines[at]}`);
    return 1;
  }
  return 0;
}

/** Lines to a block of output. */
const BLOCK_LINES = 4096;

async function write(run: Run, lines: readonly string[], delimiter: string): Promise<void> {
  const path = run.options.get("output");
  const fd = path === undefined ? 1 : await openOutput(run, path);
  for (let at = 0; at < lines.length; at += BLOCK_LINES) {
    const block = lines.slice(at, at + BLOCK_LINES);
    await writeAll(run.sys, fd, encodeText(`${block.join(delimiter)}${delimiter}`));
  }
  if (path !== undefined) await run.sys.close(fd);
}

async function openOutput(run: Run, path: string): Promise<number> {
  try {
    return await run.sys.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`open failed: ${path}: ${errorWords(error)}`, { hasHint: false });
  }
}
