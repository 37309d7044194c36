/** `fc`: lists, edits and runs again what the history remembers. */
import { O_CLOEXEC, O_CREAT, O_EXCL, O_WRONLY } from "../../../kernel/index.ts";
import { historySize } from "../history/history-settings.ts";
import { readCommandLines } from "../history/read-command.ts";
import { rememberCommand } from "../history/remember-line.ts";
import { TextSource } from "../history/text-source.ts";
import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";
import { readWhole } from "./eval.ts";

const usage = "fc [-e ename] [-lnr] [first] [last] or fc -s [pat=rep] [command]";

/** How many commands are listed unless a first one is given. */
const LISTED = 16;

export async function fc(shell: Shell, words: readonly string[]): Promise<number> {
  const { history } = shell;
  history.stifle(historySize(shell));
  const numberAt = words.findIndex((word, at) => at > 0 && /^-\d+$/.test(word));
  const [head, tail] =
    numberAt === -1 ? [words, []] : [words.slice(0, numberAt), words.slice(numberAt)];
  const flags = await readFlags(shell, head, "e:lnrs", usage);
  if (flags === undefined) return 2;
  const operands = [...flags.operands, ...tail];
  const editor = flags.values.get("e");
  if (flags.on.has("s") || editor === "-") return runAgain(shell, operands);
  if (history.length === 0) return 0;
  const isListing = flags.on.has("l");
  const range = chooseRange(shell, operands, isListing);
  if (range === "invalid") {
    await shell.complain("fc: history specification out of range");
    return 1;
  }
  if (range === undefined) {
    await shell.complain("fc: no command found");
    return 1;
  }
  const numbers = rangeNumbers(range, flags.on.has("r"));
  if (!isListing) return edit(shell, numbers, editor);
  const shown = numbers.map((index) => {
    const number = flags.on.has("n") ? "" : String(history.base + index);
    return `${number}\t${shell.options.has("posix") ? "" : " "}${history.entries[index]?.text ?? ""}\n`;
  });
  await shell.write(1, shown.join(""));
  return 0;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/** Indices, both included, in the direction asked for. */
function rangeNumbers({ first, last }: Range, isReversed: boolean): number[] {
  const [low, high] = first <= last ? [first, last] : [last, first];
  const numbers: number[] = [];
  for (let index = low; index <= high; index++) numbers.push(index);
  return isReversed || last < first ? numbers.toReversed() : numbers;
}

/** The last index `fc` deals with: not its own command's. */
function lastIndex(shell: Shell): number {
  const { history } = shell;
  const own = shell.options.has("history") ? 1 + (history.isLastAdded ? 1 : 0) : 1;
  return Math.max(0, history.length - own);
}

function chooseRange(
  shell: Shell,
  operands: readonly string[],
  isListing: boolean,
): Range | "invalid" | undefined {
  const last = lastIndex(shell);
  const realLast = Math.max(0, shell.history.length - 1);
  const [from, to] = operands;
  if (from === undefined) {
    return isListing ? { first: Math.max(0, last - LISTED + 1), last } : { first: last, last };
  }
  const first = findIndex(shell, from, isListing ? "first of a list" : "first");
  const otherwise = isListing ? (first === realLast ? realLast : last) : first;
  const end = to === undefined ? otherwise : findIndex(shell, to, isListing ? "list" : "last");
  if (first === "invalid" || end === "invalid") return "invalid";
  if (first === undefined || end === undefined) return undefined;
  return { first: Math.max(0, first), last: Math.max(0, end) };
}

type Place = "first of a list" | "first" | "list" | "last";

/** What a number or the beginning of a command stands for; undefined when nothing is found. */
function findIndex(shell: Shell, text: string, place: Place): number | "invalid" | undefined {
  const { history } = shell;
  const last = lastIndex(shell);
  const number = /^-?\d+/.exec(text)?.[0];
  if (number === undefined) {
    for (let index = last; index >= 0; index--)
      if (history.entries[index]?.text.startsWith(text) === true) return index;
    return undefined;
  }
  const value = Number(number);
  if (value < 0) return Math.max(0, value + last + 1);
  if (value === 0) {
    if (!number.startsWith("-")) return last;
    return place.endsWith("list") ? Math.max(0, history.length - 1) : "invalid";
  }
  const index = value - history.base;
  if (index >= 0 && index < last) return index;
  return place.startsWith("first") ? 0 : last;
}

async function runAgain(shell: Shell, operands: readonly string[]): Promise<number> {
  const pairs = operands.slice(0, Math.max(0, indexOfCommand(operands)));
  const name = operands[pairs.length];
  const { history } = shell;
  const index = name === undefined ? lastIndex(shell) : findIndex(shell, name, "last");
  const found = typeof index === "number" ? history.entries[index] : undefined;
  if (found === undefined) {
    await shell.complain("fc: no command found");
    return 1;
  }
  let command = found.text;
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at > 0) command = command.replaceAll(pair.slice(0, at), () => pair.slice(at + 1));
  }
  await shell.write(2, `${command}\n`);
  await replaceOwn(shell, command);
  return shell.interpreter.runSource(shell, command, shell.line);
}

function indexOfCommand(operands: readonly string[]): number {
  const at = operands.findIndex((operand) => !operand.includes("="));
  return at === -1 ? operands.length : at;
}

/** What runs again stands in the list in place of the `fc` that runs it. */
async function replaceOwn(shell: Shell, command: string): Promise<void> {
  dropOwn(shell);
  if (shell.options.has("history")) await rememberCommand(shell, command);
}

function dropOwn(shell: Shell): void {
  const { history } = shell;
  if (!history.isLastAdded) return;
  history.remove(history.length - 1);
  history.newCount = Math.max(0, history.newCount - 1);
  history.isLastAdded = false;
}

/** Writes the commands to a file, lets an editor change it, and runs what is there then. */
async function edit(
  shell: Shell,
  indices: readonly number[],
  editor: string | undefined,
): Promise<number> {
  const { variables, history, sys } = shell;
  const text = indices.map((index) => `${history.entries[index]?.text ?? ""}\n`).join("");
  dropOwn(shell);
  const path = await makeFile(shell, text);
  try {
    const fallback = shell.options.has("posix") ? "ed" : "vi";
    const command = editor ?? variables.get("FCEDIT") ?? variables.get("EDITOR") ?? fallback;
    const status = await shell.interpreter.runSource(shell, `${command} ${path}`, shell.line);
    if (status !== 0) return 1;
    return await runEdited(shell, await readWhole(shell, path));
  } finally {
    await sys.unlink(path);
  }
}

async function runEdited(shell: Shell, text: string): Promise<number> {
  const source = new TextSource(text, shell);
  let status = 0;
  for (;;) {
    const command = await readCommandLines(shell, source);
    if (command === undefined) return status;
    status = await shell.interpreter.runSource(shell, command, shell.line);
  }
}

async function makeFile(shell: Shell, text: string): Promise<string> {
  const { sys, variables } = shell;
  const { nowMs } = await sys.clock();
  const directory = variables.get("TMPDIR") ?? "/tmp";
  const path = `${directory}/bash-fc.${Math.floor(nowMs).toString(36)}`;
  const fd = await sys.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600);
  try {
    await shell.write(fd, text);
  } finally {
    await sys.close(fd);
  }
  return path;
}
