/** `[[ … ]]`. */

import { RegExpSyntaxError } from "../../programs/regexp/errors.ts";
import { type TextMatch, TextRegExp } from "../../programs/regexp/text-regexp.ts";
import { matchesExtended } from "../expansion/match-pattern.ts";
import { evaluateText, expandPattern, expandRegExp, expandText } from "../expansion/word.ts";
import { compareIntegers } from "../state/compare-integers.ts";
import { askKernel } from "../state/dynamic-variables.ts";
import { compareFiles, testUnary } from "../state/file-tests.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { IndexedArray } from "../state/variables.ts";
import type { Word } from "../syntax/ast.ts";
import type { TestExpression } from "../syntax/test-ast.ts";
import { traceCommand } from "./trace.ts";

export async function evaluateTest(
  shell: Shell,
  expression: TestExpression,
  isNegated = false,
): Promise<boolean> {
  switch (expression.kind) {
    case "group":
      return evaluateTest(shell, expression.operand, isNegated);
    case "not":
      return !(await evaluateTest(shell, expression.operand, true));
    case "logical":
      return evaluateLogical(shell, expression);
    case "unary": {
      const operand = await expandText(shell, expression.operand);
      if (shell.options.has("xtrace"))
        await traceTest(
          shell,
          isNegated,
          `${expression.operator} ${operand === "" ? "''" : operand}`,
        );
      return testUnary(shell, expression.operator.slice(1), operand);
    }
    case "binary":
      return evaluateBinary(shell, expression, isNegated);
  }
}

async function traceTest(shell: Shell, isNegated: boolean, text: string): Promise<void> {
  await traceCommand(shell, `[[ ${isNegated ? "! " : ""}${text} ]]`);
}

async function traceBinary(
  shell: Shell,
  isNegated: boolean,
  [left, operator, right]: readonly [string, string, string],
): Promise<void> {
  if (!shell.options.has("xtrace")) return;
  await traceTest(
    shell,
    isNegated,
    `${left === "" ? "''" : left} ${operator} ${right === "" ? "''" : right}`,
  );
}

async function evaluateLogical(
  shell: Shell,
  { operator, operands }: Extract<TestExpression, { kind: "logical" }>,
): Promise<boolean> {
  for (const operand of operands) {
    const isTrue = await evaluateTest(shell, operand);
    if (isTrue !== (operator === "&&")) return isTrue;
  }
  return operator === "&&";
}

async function evaluateBinary(
  shell: Shell,
  { operator, left, right }: Extract<TestExpression, { kind: "binary" }>,
  isNegated: boolean,
): Promise<boolean> {
  const text = await expandText(shell, left);
  const other = await expandRight(shell, operator, right);
  await traceBinary(shell, isNegated, [text, operator, other]);
  switch (operator) {
    case "=":
    case "==":
      return matchesExtended(shell, text, other);
    case "!=":
      return !matchesExtended(shell, text, other);
    case "=~":
      return matchRegExp(shell, text, other);
    case "<":
      return text < other;
    case ">":
      return text > other;
    case "-nt":
    case "-ot":
    case "-ef":
      return compareFiles(shell, operator, text, other);
    default:
      return compareNumbers(shell, operator, text, other);
  }
}

async function expandRight(shell: Shell, operator: string, right: Word): Promise<string> {
  if (operator === "=~") return expandRegExp(shell, right);
  if (operator === "=" || operator === "==" || operator === "!=")
    return expandPattern(shell, right);
  return expandText(shell, right);
}

function matchRegExp(shell: Shell, text: string, source: string): boolean {
  const ignoreCase = shell.options.has("nocasematch");
  let match: TextMatch | null;
  try {
    const regExp = shell.remember(
      shell.regExpCache,
      `${ignoreCase ? "i" : "c"}${source}`,
      () => new TextRegExp(source, { syntax: "extended", ignoreCase }),
    );
    match = regExp.exec(text);
  } catch (error) {
    if (error instanceof RegExpSyntaxError) throw new ShellError("", "command", 2);
    throw error;
  }
  const groups = (match?.groups ?? []).map((group, at): [number, string] => [at, group ?? ""]);
  shell.variables.ensure("BASH_REMATCH").value = new IndexedArray(groups);
  return match !== null;
}

async function compareNumbers(
  shell: Shell,
  operator: string,
  left: string,
  right: string,
): Promise<boolean> {
  await askKernel(shell, left + right);
  const one = await operandValue(shell, left);
  const two = await operandValue(shell, right);
  if (!/^-(?:eq|ne|lt|le|gt|ge)$/.test(operator))
    throw new ShellError(`[[: ${operator}: binary operator expected`, "command", 2);
  return compareIntegers(operator, one, two);
}

async function operandValue(shell: Shell, text: string): Promise<bigint> {
  try {
    return await evaluateText(shell, text);
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach === "shell") throw error;
    throw new ShellError(`[[: ${error.message}`, "command");
  }
}
