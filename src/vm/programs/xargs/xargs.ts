import { encodeText } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { defineProgram, type Run } from "../program.ts";
import { readItems } from "./items.ts";
import { type Plan, readPlan } from "./plan.ts";
import { Pool } from "./pool.ts";

export const main = defineProgram(
  {
    name: "xargs",
    usage: ["[OPTION]... COMMAND [INITIAL-ARGS]..."],
    summary: "Run COMMAND with arguments INITIAL-ARGS and more arguments read from input.",
    options: [
      { short: "0", long: "null", help: "items are separated by a null, not whitespace" },
      {
        short: "a",
        long: "arg-file",
        value: "FILE",
        help: "read arguments from FILE, not standard input",
      },
      {
        short: "d",
        long: "delimiter",
        value: "CHARACTER",
        help: "items in input stream are separated by CHARACTER",
      },
      {
        short: "E",
        value: "END",
        help: "set logical EOF string; if END occurs as a line\nof input, the rest of the input is ignored",
      },
      { short: "e", long: "eof", value: "END", isOptional: true, help: "same as -E END" },
      { short: "i", value: "R", isOptional: true, help: "same as -I, with {} for no R" },
      {
        short: "l",
        value: "MAX-LINES",
        isOptional: true,
        help: "same as -L, with 1 for no MAX-LINES",
      },
      { short: "o", long: "open-tty", help: "reopen stdin as /dev/tty in the child process" },
      { short: "p", long: "interactive", help: "prompt before running commands" },
      { long: "process-slot-var", value: "VAR", help: "(ignored)" },
      { long: "show-limits", help: "(ignored)" },
      {
        short: "I",
        long: "replace",
        value: "R",
        help: "replace R in INITIAL-ARGS with names read from input",
      },
      {
        short: "L",
        long: "max-lines",
        value: "MAX-LINES",
        help: "use at most MAX-LINES non-blank input lines per command",
      },
      {
        short: "n",
        long: "max-args",
        value: "MAX-ARGS",
        help: "use at most MAX-ARGS arguments per command line",
      },
      {
        short: "P",
        long: "max-procs",
        value: "MAX-PROCS",
        help: "run at most MAX-PROCS processes at a time",
      },
      {
        short: "r",
        long: "no-run-if-empty",
        help: "if there are no arguments, then do not run COMMAND",
      },
      {
        short: "s",
        long: "max-chars",
        value: "MAX-CHARS",
        help: "limit length of command line to MAX-CHARS",
      },
      { short: "t", long: "verbose", help: "print commands before executing them" },
      { short: "x", long: "exit", help: "exit if the size (see -s) is exceeded" },
    ],
    stopsAtOperand: true,
  },
  async (run) => {
    const plan = await readPlan(run);
    return new Pool(run).runAll(makeCommands(run, plan));
  },
);

async function* makeCommands(run: Run, plan: Plan): AsyncGenerator<readonly string[]> {
  const { options } = run;
  const { mark, most, lines, limit } = plan;
  const initial = run.operands.length === 0 ? ["echo"] : run.operands;
  const least = initial.reduce((sum, word) => sum + sizeOf(word), 0);
  let words: string[] = [];
  let size = least;
  let lineCount = 0;
  let lastLine = -1;
  for await (const { text, line } of readItems(run, plan)) {
    if (mark !== undefined) {
      yield initial.map((word) => word.replaceAll(mark, text));
      continue;
    }
    const added = sizeOf(text);
    if (least + added > limit) throw new UsageError("argument line too long", { hasHint: false });
    const isNewLine = line !== lastLine;
    const isFull =
      words.length >= most || size + added > limit || (isNewLine && lineCount >= lines);
    if (words.length > 0 && isFull) {
      yield [...initial, ...words];
      words = [];
      size = least;
      lineCount = 0;
    }
    if (isNewLine) lineCount += 1;
    lastLine = line;
    words.push(text);
    size += added;
  }
  const isNeeded = mark === undefined && lastLine === -1 && !options.has("no-run-if-empty");
  if (words.length > 0 || isNeeded) yield [...initial, ...words];
}

/** What a word takes of a command line. */
function sizeOf(word: string): number {
  return encodeText(word).length + 1;
}
