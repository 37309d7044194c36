/** `if`, loops, `case`, groups, subshells, `[[ ]]` and `(( ))`. */

import { matchesPattern } from "../expansion/match-pattern.ts";
import {
  evaluateText,
  expandArithmetic,
  expandArithmeticText,
  expandPattern,
  expandText,
  expandWords,
} from "../expansion/word.ts";
import { assignLoopName } from "../state/assign.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { ShellExit } from "../state/unwind.ts";
import { isName } from "../state/variables.ts";
import type {
  ArithmeticText,
  Body,
  CaseItem,
  CompoundCommand,
  ForLoop,
  Word,
} from "../syntax/ast.ts";
import { printCommand } from "../syntax/print-command.ts";
import { printLoopHead } from "../syntax/print-parts.ts";
import type { TestExpression } from "../syntax/test-ast.ts";
import { runDebugTrap } from "./debug-trap.ts";
import { waitForJob } from "./foreground.ts";
import { runLoop } from "./run-loop.ts";
import { runSelect } from "./select.ts";
import { evaluateTest } from "./test-expression.ts";
import { traceCommand } from "./trace.ts";

export async function runCompound(shell: Shell, command: CompoundCommand): Promise<number> {
  switch (command.kind) {
    case "group":
      return shell.interpreter.runStatements(shell, command.body);
    case "subshell": {
      shell.line = command.line;
      if (shell.runningTraps.size === 0) shell.command = command;
      const run = (child: Shell): Promise<number> =>
        shell.interpreter.runStatements(child, command.body);
      const pid = await shell.interpreter.startSubshell(shell, { run, body: command.body });
      return waitForJob(shell, [pid], () => printCommand(command));
    }
    case "if":
      return runIf(shell, command);
    case "loop": {
      const { until, body } = command;
      const goesOn = async () => (await condition(shell, command.condition)) !== until;
      return runLoop(shell, goesOn, body, until);
    }
    case "for":
      return runFor(shell, command);
    case "select":
      return runSelect(shell, command);
    case "arithmetic-for":
      return runArithmeticFor(shell, command);
    case "case":
      shell.line = command.line;
      if (!(await runDebugTrap(shell, `case ${command.word.text} in `))) return 0;
      if (shell.options.has("xtrace")) await traceCommand(shell, `case ${command.word.text} in`);
      return runCase(shell, command.word, command.items);
    case "test":
      shell.line = command.line;
      if (!(await runDebugTrap(shell, command))) return 0;
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

async function runFor(shell: Shell, command: ForLoop): Promise<number> {
  shell.line = command.line;
  if (!isName(command.name)) {
    await shell.complain(`\`${command.name}': not a valid identifier`);
    if (shell.options.has("posix") && !shell.isInteractive) throw new ShellExit(1);
    return 1;
  }
  const words =
    command.words === undefined ? shell.positional : await expandWords(shell, command.words);
  const head = printLoopHead(command);
  let at = 0;
  const goesOn = async (): Promise<boolean> => {
    const word = words[at];
    if (word === undefined) return false;
    at += 1;
    shell.line = command.line;
    if (!(await runDebugTrap(shell, head))) return goesOn();
    if (shell.options.has("xtrace")) await traceCommand(shell, head);
    assignLoopName(shell, command.name, word);
    return true;
  };
  if (shell.variables.findUnresolved(command.name)?.isReadonly === true && words.length > 0) {
    await shell.complain(`${command.name}: readonly variable`);
    return 1;
  }
  return runLoop(shell, goesOn, command.body);
}

async function runArithmeticFor(
  shell: Shell,
  command: Extract<CompoundCommand, { kind: "arithmetic-for" }>,
): Promise<number> {
  try {
    return await runSteps(shell, command);
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach !== "command") throw error;
    await shell.complain(error.message);
    return error.status;
  }
}

async function runSteps(
  shell: Shell,
  command: Extract<CompoundCommand, { kind: "arithmetic-for" }>,
): Promise<number> {
  const { initialize, test, update, body } = command;
  shell.line = command.line;
  await stepLoop(shell, command.line, initialize);
  let isFirst = true;
  const goesOn = async (): Promise<boolean> => {
    if (!isFirst) await stepLoop(shell, command.line, update);
    isFirst = false;
    return (await stepLoop(shell, command.line, test)) !== 0n;
  };
  return runLoop(shell, goesOn, body);
}

/** One of a loop's three expressions; without it, 1. */
async function stepLoop(
  shell: Shell,
  line: number,
  expression: ArithmeticText | undefined,
): Promise<bigint> {
  shell.line = line;
  const shown = expression?.text.trim() ?? "1";
  await runDebugTrap(shell, `((${shown}))`);
  if (shell.options.has("xtrace")) await traceCommand(shell, `(( ${shown} ))`);
  if (expression === undefined) return 1n;
  try {
    return await expandArithmetic(shell, expression);
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach === "shell") throw error;
    throw new ShellError(arithmeticMessage(error), "command");
  }
}

/** Bash names `((` in front of what is wrong with the expression. */
function arithmeticMessage({ message }: ShellError): string {
  return message.endsWith("readonly variable") ? message : `((: ${message}`;
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
  for (const word of patterns)
    if (matchesPattern(shell, text, await expandPattern(shell, word))) return true;
  return false;
}

async function runArithmetic(
  shell: Shell,
  command: Extract<CompoundCommand, { kind: "arithmetic" }>,
): Promise<number> {
  shell.line = command.line;
  if (!(await runDebugTrap(shell, command))) return 0;
  try {
    const text = await expandArithmeticText(shell, command.expression);
    if (shell.options.has("xtrace")) await traceCommand(shell, `(( ${text} ))`);
    return (await evaluateText(shell, text)) === 0n ? 1 : 0;
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach === "shell") throw error;
    await shell.complain(arithmeticMessage(error));
    return 1;
  }
}
