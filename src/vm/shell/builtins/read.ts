import { isKernelError } from "../../../kernel/index.ts";
import { isTerminal } from "../../programs/is-terminal.ts";
import { errorWords } from "../../programs/program.ts";
import { runPendingTraps } from "../run/run-trap.ts";
import { assignTarget, readTarget } from "../state/assign.ts";
import { delimiterOf } from "../state/read-line.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { AssociativeArray, IndexedArray, isName, requireWritable } from "../state/variables.ts";
import { type Flags, readFlags } from "./builtin.ts";
import { type Input, type InputWish, readInput, waitForInput } from "./read-input.ts";
import { checkFd, readSeconds } from "./read-options.ts";
import { atTerminal, editInput } from "./read-terminal.ts";
import { splitFields } from "./split-fields.ts";

const usage =
  "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]";

/** Statuses over 128 tell a timeout, see bash(1). */
const TIMED_OUT = 142;
/** By Ctrl-C. */
const INTERRUPTED = 130;

export async function read(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "ersa:d:i:n:N:p:t:u:", usage);
  if (flags === undefined) return 2;
  const problem = (await findProblem(shell, flags)) ?? findBadName(flags);
  if (problem !== undefined) {
    await shell.complain(`read: ${problem}`);
    return 1;
  }
  const fd = Number(flags.values.get("u") ?? "0");
  const prompt = flags.values.get("p");
  const isEdited = flags.on.has("e") && (await isTerminal(shell.sys, fd));
  if (prompt !== undefined && !isEdited && (await isTerminal(shell.sys, fd)))
    await shell.write(2, prompt);
  const timeout = flags.values.get("t");
  const seconds = timeout === undefined ? undefined : readSeconds(timeout);
  if (seconds === 0) return (await waitForInput(shell, fd, 0)) ? 0 : 1;
  shell.onSignal = () => runPendingTraps(shell);
  try {
    if (isEdited) return await readEdited(shell, flags, fd);
    const wish = await inputWish(shell, flags, fd, seconds);
    return await atTerminal(shell, fd, flags, () => readInto(shell, flags, wish));
  } catch (error) {
    if (error instanceof ShellError && error.status === INTERRUPTED) await shell.write(2, "\n");
    if (!isKernelError(error)) throw error;
    await shell.complain(`read: read error: ${fd}: ${errorWords(error)}`);
    return 1;
  } finally {
    shell.onSignal = undefined;
  }
}

async function readEdited(shell: Shell, flags: Flags, fd: number): Promise<number> {
  const edited = await editInput(shell, fd, flags);
  try {
    return await readInto(shell, flags, await inputWish(shell, flags, edited, undefined));
  } finally {
    await shell.sys.close(edited);
  }
}

async function findProblem(shell: Shell, { values }: Flags): Promise<string | undefined> {
  const timeout = values.get("t");
  if (timeout !== undefined && readSeconds(timeout) === undefined)
    return `${timeout}: invalid timeout specification`;
  for (const letter of ["n", "N"]) {
    const count = values.get(letter);
    if (count !== undefined && !/^\s*\+?\d+\s*$/.test(count)) return `${count}: invalid number`;
  }
  return checkFd(shell, values.get("u"));
}

function findBadName({ operands, values }: Flags): string | undefined {
  const array = values.get("a");
  const names = array === undefined ? operands : [array];
  const bad = names.find((name) => !isName(name) && !/^[A-Za-z_]\w*\[.+\]$/s.test(name));
  return bad === undefined ? undefined : `\`${bad}': not a valid identifier`;
}

async function inputWish(
  shell: Shell,
  { on, values }: Flags,
  fd: number,
  seconds: number | undefined,
): Promise<InputWish> {
  const exact = values.get("N");
  const most = exact ?? values.get("n");
  const delimiter = values.get("d");
  const { monotonicMs } = seconds === undefined ? { monotonicMs: 0 } : await shell.sys.clock();
  return {
    fd,
    delimiter:
      exact !== undefined ? undefined : delimiter === undefined ? 10 : delimiterOf(delimiter),
    isRaw: on.has("r"),
    most: most === undefined ? undefined : Number(most),
    untilMs: seconds === undefined ? undefined : monotonicMs + seconds * 1000,
  };
}

async function readInto(shell: Shell, flags: Flags, wish: InputWish): Promise<number> {
  const input = await readInput(shell, wish);
  const status = input.end === "timeout" ? TIMED_OUT : input.end === "input" ? 1 : 0;
  const array = flags.values.get("a");
  if (array !== undefined) return (await fillArray(shell, array, input)) ? status : 1;
  const names = flags.operands.length === 0 ? ["REPLY"] : flags.operands;
  const isWhole = wish.delimiter === undefined || flags.operands.length === 0;
  const fields = isWhole ? [input.text] : splitFields(shell, input, names.length);
  for (const [at, name] of names.entries()) {
    const target = await readTarget(shell, name);
    if (target === undefined) continue;
    try {
      assignTarget(shell, target, fields[at] ?? "");
    } catch (error) {
      if (!(error instanceof ShellError) || error.reach === "shell") throw error;
      await shell.complain(error.message);
      return 1;
    }
  }
  return status;
}

async function fillArray(shell: Shell, name: string, input: Input): Promise<boolean> {
  const variable = shell.variables.ensure(name);
  requireWritable(name, variable);
  if (variable.value instanceof AssociativeArray) {
    await shell.complain(`read: ${name}: not an indexed array`);
    return false;
  }
  const fields = splitFields(shell, input, Number.POSITIVE_INFINITY);
  shell.variables.charge(input.text.length);
  variable.value = new IndexedArray(fields.map((field, at): [number, string] => [at, field]));
  return true;
}
