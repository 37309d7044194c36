/** `if`, loops, `case`, groups, subshells, `[[ ]]` and `(( ))`. */

import { evaluateArithmetic } from "../expansion/arithmetic.ts";
import { compilePattern } from "../expansion/pattern.ts";
import {
  expandArithmetic,
  expandArithmeticText,
  expandPattern,
  expandText,
  expandWords,
} from "../expansion/word.ts";
import { assignScalar } from "../state/assign.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { LoopExit } from "../state/unwind.ts";
import { isName } from "../state/variables.ts";
import { waitForChild } from "../state/wait-for-child.ts";
import type {
  Body,
  CaseItem,
  CompoundCommand,
  ForLoop,
  TestExpression,
  Word,
} from "../syntax/ast.ts";
import { runSelect } from "./select.ts";
import { evaluateTest } from "./test-expression.ts";
import { traceCommand } from "./trace.ts";

export async function runCompound(shell: Shell, command: CompoundCommand): Promise<number> {
  switch (command.kind) {
    case "group":
      return shell.interpreter.runStatements(shell, command.body);
    case "subshell": {
      const run = (child: Shell): Promise<number> =>
        shell.interpreter.runStatements(child, command.body);
      return waitForChild(
        shell,
        await shell.interpreter.startSubshell(shell, { run, body: command.body }),
      );
    }
    case "if":
      return runIf(shell, command);
    case "loop":
      return runLoop(
        shell,
        async () => (await condition(shell, command.condition)) !== command.until,
        command.body,
      );
    case "for":
      return runFor(shell, command);
    case "select":
      return runSelect(shell, command);
    case "arithmetic-for":
      return runArithmeticFor(shell, command);
    case "case":
      return runCase(shell, command.word, command.items);
    case "test":
      shell.line = command.line;
      return runTest(shell, command.expression);
    case "arithmetic":
      return runArithmetic(shell, command);
  }
}

async function runTest(shell: Shell, expression: TestExpression): Promise<number> {
  try {
    return (await evaluateTest(shell, expression)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach !== "command") throw error;
    await shell.complain(error.message);
    return error.status;
  } finally {
    if (shell.notices.length > 0) await shell.sayNotices();
  }
}

/** Whether a condition's list succeeds; its failures are looked at. */
async function condition(shell: Shell, body: Body): Promise<boolean> {
  shell.errexitGuards += 1;
  try {
    return (await shell.interpreter.runStatements(shell, body)) === 0;
  } finally {
    shell.errexitGuards -= 1;
  }
}

async function runIf(
  shell: Shell,
  command: Extract<CompoundCommand, { kind: "if" }>,
): Promise<number> {
  for (const branch of command.branches) {
    if (await condition(shell, branch.condition))
      return shell.interpreter.runStatements(shell, branch.body);
  }
  return command.otherwise === undefined
    ? 0
    : shell.interpreter.runStatements(shell, command.otherwise);
}

/** Runs `body` as often as `goesOn` says so, minding `break` and `continue`. */
export async function runLoop(
  shell: Shell,
  goesOn: () => Promise<boolean>,
  body: Body,
): Promise<number> {
  let status = 0;
  shell.loopDepth += 1;
  try {
    while (await goesOn()) {
      const outcome = await runRound(shell, body);
      if (outcome === "left") return 0;
      status = outcome;
    }
  } catch (error) {
    if (!(error instanceof LoopExit)) throw error;
    if (leaveLoop(shell, error) === "left") return 0;
  } finally {
    shell.loopDepth -= 1;
  }
  return status;
}

async function runRound(shell: Shell, body: Body): Promise<number | "left"> {
  try {
    return await shell.interpreter.runStatements(shell, body);
  } catch (error) {
    if (!(error instanceof LoopExit)) throw error;
    return leaveLoop(shell, error);
  }
}

/** Passes a `break 2` on to the loop around. */
function leaveLoop(shell: Shell, exit: LoopExit): 0 | "left" {
  if (exit.levels > 1 && shell.loopDepth > 1) throw new LoopExit(exit.kind, exit.levels - 1);
  return exit.kind === "break" ? "left" : 0;
}

async function runFor(shell: Shell, command: ForLoop): Promise<number> {
  shell.line = command.line;
  if (!isName(command.name))
    throw new ShellError(`\`${command.name}': not a valid identifier`, "command");
  const words =
    command.words === undefined ? shell.positional : await expandWords(shell, command.words);
  let at = 0;
  const goesOn = async (): Promise<boolean> => {
    const word = words[at];
    if (word === undefined) return false;
    at += 1;
    if (shell.options.has("xtrace"))
      await traceCommand(shell, `for ${command.name} in ${words.join(" ")}`);
    assignScalar(shell, command.name, word);
    return true;
  };
  return runLoop(shell, goesOn, command.body);
}

async function runArithmeticFor(
  shell: Shell,
  command: Extract<CompoundCommand, { kind: "arithmetic-for" }>,
): Promise<number> {
  const { initialize, test, update, body } = command;
  shell.line = command.line;
  if (initialize !== undefined) await expandArithmetic(shell, initialize);
  let isFirst = true;
  const goesOn = async (): Promise<boolean> => {
    if (!isFirst && update !== undefined) await expandArithmetic(shell, update);
    isFirst = false;
    return test === undefined || (await expandArithmetic(shell, test)) !== 0n;
  };
  return runLoop(shell, goesOn, body);
}

async function runCase(shell: Shell, word: Word, items: readonly CaseItem[]): Promise<number> {
  const text = await expandText(shell, word);
  let status = 0;
  let fallsThrough = false;
  for (const item of items) {
    if (!fallsThrough && !(await matches(shell, text, item.patterns))) continue;
    status = await shell.interpreter.runStatements(shell, item.body);
    if (item.end === ";;") return status;
    fallsThrough = item.end === ";&";
  }
  return status;
}

async function matches(shell: Shell, text: string, patterns: readonly Word[]): Promise<boolean> {
  const ignoreCase = shell.options.has("nocasematch");
  for (const word of patterns) {
    const pattern = await expandPattern(shell, word);
    const matcher = shell.remember(shell.patternCache, `${ignoreCase ? "i" : "c"}${pattern}`, () =>
      compilePattern(pattern, { ignoreCase }),
    );
    if (matcher.test(text)) return true;
  }
  return false;
}

async function runArithmetic(
  shell: Shell,
  command: Extract<CompoundCommand, { kind: "arithmetic" }>,
): Promise<number> {
  shell.line = command.line;
  try {
    const text = await expandArithmeticText(shell, command.expression);
    if (shell.options.has("xtrace")) await traceCommand(shell, `(( ${text} ))`);
    return evaluateArithmetic(shell, text) === 0n ? 1 : 0;
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach === "shell") throw error;
    await shell.complain(`((: ${error.message}`);
    return 1;
  }
}
