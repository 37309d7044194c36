import { isKernelError } from "../../../kernel/index.ts";
import { chooseWord } from "../choose-word.ts";
import { openOutput } from "../open-output.ts";
import { UsageError } from "../options.ts";
import { Output } from "../output.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";
import { readNames } from "../read-names.ts";
import { findStat } from "../run-command.ts";
import { checkOptions, refuseCheckCombinations } from "./check-options.ts";
import { makeCompare } from "./columns.ts";
import { parseKey, type SortKey } from "./keys.ts";
import { SortLines } from "./lines.ts";
import { mergeRuns, mergeSort } from "./merge-sort.ts";
import type { SortOrder } from "./order.ts";

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
      { short: "c", help: "check for sorted input; do not sort" },
      {
        long: "check",
        value: "diagnose-first",
        isOptional: true,
        help: "same as -c; quiet and silent are -C",
      },
      { long: "compress-program", value: "PROG", help: "(ignored)" },
      { long: "batch-size", value: "NMERGE", help: "(ignored)" },
      { long: "debug", help: "(ignored)" },
      {
        long: "files0-from",
        value: "F",
        help: "read input from the files specified by\nNUL-terminated names in file F",
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
      { long: "random-source", value: "FILE", help: "(ignored: what is equal is scattered alike)" },
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
    checkOptions(run);
    const order = readOrder(run);
    const checks = readCheck(run);
    refuseCheckCombinations(run);
    const inputs = await listInputs(run);
    if (checks !== undefined && inputs.length > 1)
      throw new UsageError(`extra operand '${inputs[1]}' not allowed with -${checks}`, {
        hasHint: false,
      });
    const lines = new SortLines(run.sys, run.has("zero-terminated") ? 0 : 10);
    const ends: number[] = [];
    for (const operand of inputs) {
      try {
        await run.withInput(operand, (fd) => lines.read(run.sys, fd));
        ends.push(lines.count);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        const verb =
          error.errno === "EISDIR"
            ? "read failed"
            : operand === "-"
              ? "stat failed"
              : "cannot read";
        await run.fail(`${verb}: ${operand}: ${errorWords(error)}`, FAILED);
        return FAILED;
      }
    }
    const compare = await makeCompare(run.sys, lines, order);
    if (checks !== undefined)
      return check(run, lines, compare, { isUnique: order.isUnique, isQuiet: checks === "C" });
    lines.charge(2 * lines.count * Uint32Array.BYTES_PER_ELEMENT);
    const sorted = run.has("merge")
      ? await mergeRuns(run.sys, ends, compare)
      : await mergeSort(run.sys, lines.count, compare);
    await write(run, lines, sorted, order.isUnique ? compare : undefined);
    return undefined;
  },
);

/** `c` says what is wrong, `C` does not. */
function readCheck(run: Run): "c" | "C" | undefined {
  const last = run.options.last("c", "C", "check");
  if (last !== "check") return last === "c" || last === "C" ? last : undefined;
  const text = run.options.get("check") ?? "";
  if (text === "") return "c";
  const word = chooseWord(text, "--check", [["quiet", "silent"], ["diagnose-first"]]);
  return word === "diagnose-first" ? "c" : "C";
}

async function listInputs(run: Run): Promise<readonly string[]> {
  const list = run.options.get("files0-from");
  if (list === undefined) return run.operands.length === 0 ? ["-"] : run.operands;
  if (run.operands.length > 0)
    throw new UsageError(
      `extra operand '${run.operands[0]}'\nfile operands cannot be combined with --files0-from`,
    );
  if (list !== "-" && (await findStat(run.sys, list)) === undefined)
    throw new UsageError(`open failed: ${list}: No such file or directory`, { hasHint: false });
  const names = await readNames(run, list);
  const empty = names.indexOf("");
  if (empty !== -1)
    throw new UsageError(`${list}:${empty + 1}: invalid zero-length file name`, {
      hasHint: false,
    });
  if (names.length === 0) throw new UsageError(`no input from '${list}'`, { hasHint: false });
  return names;
}

const words = new Map([
  ["general-numeric", "g"],
  ["human-numeric", "h"],
  ["month", "M"],
  ["numeric", "n"],
  ["random", "R"],
  ["version", "V"],
]);

/** Orders that exclude each other are refused, as GNU names them. */
function refuseIncompatible(letters: string): void {
  const kinds = ["g", "h", "n", "M", "R", "V"].filter((letter) => letters.includes(letter));
  const isText = /[di]/.test(letters) && kinds.some((letter) => letter !== "R" && letter !== "V");
  if (kinds.length <= 1 && !isText) return;
  const shown = letters.includes("d") ? /[dghMnRV]/ : /[dghiMnRV]/;
  const named = [...new Set(letters)].filter((letter) => shown.test(letter)).toSorted();
  throw new UsageError(`options '-${named.join("")}' are incompatible`, { hasHint: false });
}

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
    word === undefined
      ? ""
      : (words.get(
          chooseWord(
            word,
            "--sort",
            [...words.keys()].map((name) => [name]),
          ),
        ) ?? ""),
  ].join("");
  refuseIncompatible(letters);
  const separator = options.get("field-separator");
  const tab = separator === "\\0" ? "\0" : separator;
  if (tab === "") throw new UsageError("empty tab", { hasHint: false });
  if (tab !== undefined && [...tab].length > 1)
    throw new UsageError(`multi-character tab ${quoteText(tab)}`, { hasHint: false });
  const keys = options.all("key").map((text): SortKey => {
    const key = parseKey(text, letters);
    if (typeof key === "string") throw new UsageError(key, { hasHint: false });
    refuseIncompatible(key.letters);
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

async function check(
  run: Run,
  lines: SortLines,
  compare: (a: number, b: number) => number,
  { isUnique, isQuiet }: { readonly isUnique: boolean; readonly isQuiet: boolean },
): Promise<number> {
  for (let at = 1; at < lines.count; at++) {
    const difference = compare(at - 1, at);
    if (difference < 0 || (difference === 0 && !isUnique)) continue;
    const name = run.operands[0] ?? "-";
    if (!isQuiet) await run.warn(`${name}:${at + 1}: disorder: ${lines.text(at)}`);
    return 1;
  }
  return 0;
}

async function write(
  run: Run,
  lines: SortLines,
  order: Uint32Array,
  isSame: ((a: number, b: number) => number) | undefined,
): Promise<void> {
  const path = run.options.get("output");
  const fd = path === undefined ? 1 : await openOutput(run, path, `open failed: ${path}`);
  const out = new Output(run.sys, fd);
  let before: number | undefined;
  for (const line of order) {
    if (before !== undefined && isSame?.(before, line) === 0) continue;
    before = line;
    out.add(lines.bytes.subarray(lines.start(line), lines.end(line)));
    out.addByte(lines.delimiter);
    if (out.isFull) await out.flush();
  }
  await out.flush();
  if (path !== undefined) await run.sys.close(fd);
}
