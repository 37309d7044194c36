import { isKernelError } from "../../../kernel/index.ts";
import { chooseWord } from "../choose-word.ts";
import { HeldMemory } from "../memory-limit.ts";
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
import { HELD_LIMIT, readBudget } from "./line-budget.ts";
import { type LineBudget, SortLines } from "./lines.ts";
import { mergeRuns, mergeSort } from "./merge-sort.ts";
import { mergeSpilled } from "./merge-spilled.ts";
import type { SortOrder } from "./order.ts";
import { SpilledRuns } from "./spilled-runs.ts";
import { addLines } from "./write-lines.ts";

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
      { long: "batch-size", value: "NMERGE", help: "(ignored: all are merged at once)" },
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
      { short: "S", long: "buffer-size", value: "SIZE", help: "use SIZE for main memory buffer" },
      {
        short: "t",
        long: "field-separator",
        value: "SEP",
        help: "use SEP instead of non-blank to blank transition",
      },
      {
        short: "T",
        long: "temporary-directory",
        value: "DIR",
        help: "use DIR for temporaries, not $TMPDIR or /tmp;\nmultiple options specify multiple directories",
      },
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
    if (checks !== undefined) return check(run, inputs, order, checks);
    return sortInputs(run, inputs, order);
  },
);

/** What a run of sort works with. */
interface Work {
  readonly lines: SortLines;
  readonly held: HeldMemory;
  readonly budget: LineBudget;
}

async function makeWork(run: Run, order: SortOrder): Promise<Work> {
  const held = new HeldMemory(run.sys, HELD_LIMIT);
  const lines = new SortLines(held, run.has("zero-terminated") ? 0 : 10);
  return { lines, held, budget: await readBudget(run, order) };
}

async function sortInputs(
  run: Run,
  inputs: readonly string[],
  order: SortOrder,
): Promise<number | undefined> {
  const work = await makeWork(run, order);
  const { lines, budget } = work;
  const spilled = new SpilledRuns(run.sys, await temporaryDirectories(run));
  const ends: number[] = [];
  for (const operand of inputs) {
    const isRead = await readInput(run, operand, async (fd) => {
      while (await lines.read(run.sys, fd, budget)) await spilled.add(lines, order);
    });
    if (!isRead) return FAILED;
    ends.push(lines.count);
  }
  if (spilled.runs.length === 0) await sortInMemory(run, lines, order, ends);
  else await mergeRest(run, work, order, spilled);
  return undefined;
}

/** Whether it could be read; what was wrong is said. */
async function readInput(
  run: Run,
  operand: string,
  step: (fd: number) => Promise<void>,
): Promise<boolean> {
  try {
    await run.withInput(operand, step);
    return true;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const verb =
      error.errno === "EISDIR" ? "read failed" : operand === "-" ? "stat failed" : "cannot read";
    await run.fail(`${verb}: ${operand}: ${errorWords(error)}`, FAILED);
    return false;
  }
}

/** `ends` are those of the inputs, for --merge. */
async function sortInMemory(
  run: Run,
  lines: SortLines,
  order: SortOrder,
  ends: readonly number[],
): Promise<void> {
  const compare = await makeCompare(run.sys, lines, order);
  lines.charge(2 * lines.count * Uint32Array.BYTES_PER_ELEMENT);
  const sorted = run.has("merge")
    ? await mergeRuns(run.sys, ends, compare)
    : await mergeSort(run.sys, lines.count, compare);
  await writeOutput(run, async (out) => {
    await addLines(out, lines, sorted, order.isUnique ? compare : undefined);
  });
}

/** Inputs of --merge that do not fit in memory are sorted as well: they are in order, so nothing changes. */
async function mergeRest(
  run: Run,
  { lines, held, budget }: Work,
  order: SortOrder,
  spilled: SpilledRuns,
): Promise<void> {
  await spilled.add(lines, order);
  lines.drop();
  await writeOutput(run, (out) =>
    mergeSpilled({
      sys: run.sys,
      held,
      delimiter: lines.delimiter,
      order,
      runs: spilled.runs,
      windowBytes: budget.bytes / WINDOW_PART,
      out,
    }),
  );
}

/** Two windows are held at a time, and the keys of their lines. */
const WINDOW_PART = 8;

async function temporaryDirectories(run: Run): Promise<readonly string[]> {
  const given = run.options.all("temporary-directory");
  if (given.length > 0) return given;
  return [(await run.sys.environ()).get("TMPDIR") || "/tmp"];
}

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

/** 0, or 1 and where the first line is that is out of order. */
async function check(
  run: Run,
  inputs: readonly string[],
  order: SortOrder,
  how: "c" | "C",
): Promise<number> {
  const { lines, budget } = await makeWork(run, order);
  const [operand = "-"] = inputs;
  let before = 0;
  let wrong: { readonly number: number; readonly text: string } | undefined;
  const look = async (): Promise<void> => {
    const at = await findDisorder(run, lines, order);
    if (at !== undefined) wrong = { number: before + at + 1, text: lines.text(at) };
  };
  const isRead = await readInput(run, operand, async (fd) => {
    while (wrong === undefined && (await lines.read(run.sys, fd, budget))) {
      await look();
      before += lines.count - 1;
      lines.clear(1);
    }
    if (wrong === undefined) await look();
  });
  if (!isRead) return FAILED;
  if (wrong === undefined) return 0;
  if (how === "c") await run.warn(`${operand}:${wrong.number}: disorder: ${wrong.text}`);
  return 1;
}

async function findDisorder(
  run: Run,
  lines: SortLines,
  order: SortOrder,
): Promise<number | undefined> {
  const compare = await makeCompare(run.sys, lines, order);
  for (let at = 1; at < lines.count; at++) {
    const difference = compare(at - 1, at);
    if (difference > 0 || (difference === 0 && order.isUnique)) return at;
  }
  return undefined;
}

async function writeOutput(run: Run, write: (out: Output) => Promise<void>): Promise<void> {
  const path = run.options.get("output");
  const fd = path === undefined ? 1 : await openOutput(run, path, `open failed: ${path}`);
  await write(new Output(run.sys, fd));
  if (path !== undefined) await run.sys.close(fd);
}
