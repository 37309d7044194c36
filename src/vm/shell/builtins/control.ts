/** `break`, `continue`, `return`, `exit`, `shift`. */
import type { Shell } from "../state/shell.ts";
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
  if (await hasTooMany(shell, words, name)) throw new LoopExit("break", shell.loopDepth);
  if (levels < 1) {
    await shell.complain(`${name}: ${levels}: loop count out of range`);
    throw new LoopExit("break", shell.loopDepth);
  }
  throw new LoopExit(name, levels);
}

export async function returnFrom(shell: Shell, words: readonly string[]): Promise<number> {
  if (shell.frames.length === 0) {
    await shell.complain("return: can only `return' from a function or sourced script");
    return 2;
  }
  throw new FunctionReturn(await statusOperand(shell, words, "return"));
}

export async function exit(shell: Shell, words: readonly string[]): Promise<number> {
  if (shell.isInteractive && shell.subshellDepth === 0) await shell.write(2, "exit\n");
  if (await hasTooMany(shell, words, "exit")) return 1;
  throw new ShellExit(await statusOperand(shell, words, "exit"));
}

async function statusOperand(
  shell: Shell,
  words: readonly string[],
  name: string,
): Promise<number> {
  const operand = operandOf(words);
  if (operand === undefined) return shell.status;
  const status = readNumber(operand);
  if (status !== undefined) return status & 0xff;
  await shell.complain(`${name}: ${operand}: numeric argument required`);
  return 2;
}

export async function shift(shell: Shell, words: readonly string[]): Promise<number> {
  const operand = operandOf(words);
  const count = operand === undefined ? 1 : readNumber(operand);
  if (count === undefined) {
    await shell.complain(`shift: ${operand}: numeric argument required`);
    return 1;
  }
  if (count < 0) {
    await shell.complain(`shift: ${count}: shift count out of range`);
    return 1;
  }
  if (await hasTooMany(shell, words, "shift")) return 1;
  if (count > shell.positional.length) return 1;
  shell.positional = shell.positional.slice(count);
  return 0;
}

async function hasTooMany(shell: Shell, words: readonly string[], name: string): Promise<boolean> {
  const count = words.length - (words[1] === "--" ? 2 : 1);
  if (count <= 1) return false;
  await shell.complain(`${name}: too many arguments`);
  return true;
}

function operandOf(words: readonly string[]): string | undefined {
  return words[1] === "--" ? words[2] : words[1];
}
