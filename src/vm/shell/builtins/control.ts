/** `break`, `continue`, `return`, `exit`, `shift`. */
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { FunctionReturn, LoopExit, ShellExit } from "../state/unwind.ts";
import { readNumber } from "./builtin.ts";

export async function leaveLoop(shell: Shell, words: readonly string[]): Promise<number> {
  const name = words[0] === "continue" ? "continue" : "break";
  if (shell.loopDepth === 0) {
    await shell.complain(`${name}: only meaningful in a \`for', \`while', or \`until' loop`);
    return 0;
  }
  const operand = operandOf(words);
  const levels = operand === undefined ? 1 : readNumber(operand);
  if (levels === undefined) {
    await shell.complain(`${name}: ${operand}: numeric argument required`);
    throw new ShellExit(128);
  }
  refuseMore(shell, words, name);
  if (levels < 1) {
    await shell.complain(`${name}: ${levels}: loop count out of range`);
    throw new LoopExit("break", shell.loopDepth, 1);
  }
  throw new LoopExit(name, levels);
}

export async function returnFrom(shell: Shell, words: readonly string[]): Promise<number> {
  if (shell.frames.length === 0) {
    await shell.complain("return: can only `return' from a function or sourced script");
    return 2;
  }
  refuseMore(shell, words, "return");
  throw new FunctionReturn(await statusOperand(shell, words, "return"));
}

export async function exit(shell: Shell, words: readonly string[]): Promise<number> {
  if (shell.isInteractive && shell.subshellDepth === 0) await shell.write(2, "exit\n");
  refuseMore(shell, words, "exit");
  if (await warnOfJobs(shell)) return 1;
  throw new ShellExit(await statusOperand(shell, words, "exit"));
}

/** Tells of stopped jobs the first time an interactive shell is to be left; answers whether it did. */
export async function warnOfJobs(shell: Shell): Promise<boolean> {
  if (!shell.isInteractive || shell.subshellDepth > 0 || shell.isExitWarned) return false;
  const jobs = shell.jobs.list();
  const isStopped = jobs.some((job) => job.state === "stopped");
  const isRunning = shell.options.has("checkjobs") && jobs.some((job) => job.state === "running");
  if (!isStopped && !isRunning) return false;
  await shell.write(2, `There are ${isStopped ? "stopped" : "running"} jobs.\n`);
  shell.isExitWarned = true;
  return true;
}

async function statusOperand(
  shell: Shell,
  words: readonly string[],
  name: string,
): Promise<number> {
  const operand = operandOf(words);
  if (operand === undefined) {
    const isEnding = name === "return" || shell.runningTraps.has("EXIT");
    return (isEnding ? shell.trapStatus : undefined) ?? shell.status;
  }
  if (readNumber(operand) !== undefined)
    return Number(BigInt.asUintN(8, BigInt(operand.trim().replace(/^\+/, ""))));
  await shell.complain(`${name}: ${operand}: numeric argument required`);
  return 2;
}

export async function shift(shell: Shell, words: readonly string[]): Promise<number> {
  const operand = operandOf(words);
  const count = operand === undefined ? 1 : readNumber(operand);
  if (words.length - (words[1] === "--" ? 2 : 1) > 1)
    throw new ShellError("shift: too many arguments");
  if (count === undefined) {
    await shell.complain(`shift: ${operand}: numeric argument required`);
    return 1;
  }
  if (count < 0) {
    await shell.complain(`shift: ${count}: shift count out of range`);
    return 1;
  }
  if (count > shell.positional.length) {
    const isSaid = shell.options.has("shift_verbose") || shell.options.has("posix");
    const shown = operand === undefined ? "" : `${count}: `;
    if (isSaid) await shell.complain(`shift: ${shown}shift count out of range`);
    return 1;
  }
  shell.positional = shell.positional.slice(count);
  return 0;
}

/** More than one operand drops the line, and ends a text given with `-c`. */
function refuseMore(shell: Shell, words: readonly string[], name: string): void {
  if (!hasMore(words)) return;
  const reach = shell.startLetters.includes("c") ? "shell" : "line";
  throw new ShellError(`${name}: too many arguments`, reach);
}

function hasMore(words: readonly string[]): boolean {
  return words.length - (words[1] === "--" ? 2 : 1) > 1;
}

function operandOf(words: readonly string[]): string | undefined {
  return words[1] === "--" ? words[2] : words[1];
}
