/** `[[ … ]]`. */

import { RegExpSyntaxError, translateRegExp } from "../../programs/posix-regexp.ts";
import { type SafeMatch, SafeRegExp } from "../../programs/safe-regexp.ts";
import { evaluateArithmetic } from "../expansion/arithmetic.ts";
import { compilePattern } from "../expansion/pattern.ts";
import { expandPattern, expandRegExp, expandText } from "../expansion/word.ts";
import { compareIntegers } from "../state/compare-integers.ts";
import { askKernel } from "../state/dynamic-variables.ts";
import { compareFiles, testUnary } from "../state/file-tests.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { IndexedArray } from "../state/variables.ts";
import type { TestExpression } from "../syntax/ast.ts";
import { traceCommand } from "./trace.ts";

export async function evaluateTest(shell: Shell, expression: TestExpression): Promise<boolean> {
  switch (expression.kind) {
    case "not":
      return !(await evaluateTest(shell, expression.operand));
    case "logical":
      return evaluateLogical(shell, expression);
    case "unary": {
      const operand = await expandText(shell, expression.operand);
      if (shell.options.has("xtrace"))
        await traceCommand(shell, `[[ ${expression.operator} ${operand} ]]`);
      return testUnary(shell, expression.operator.slice(1), operand);
    }
    case "binary":
      return evaluateBinary(shell, expression);
  }
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
): Promise<boolean> {
  const text = await expandText(shell, left);
  switch (operator) {
    case "=":
    case "==":
      return matches(shell, text, await expandPattern(shell, right));
    case "!=":
      return !matches(shell, text, await expandPattern(shell, right));
    case "=~":
      return matchRegExp(shell, text, await expandRegExp(shell, right));
    case "<":
      return text < (await expandText(shell, right));
    case ">":
      return text > (await expandText(shell, right));
    case "-nt":
    case "-ot":
    case "-ef":
      return compareFiles(shell, operator, text, await expandText(shell, right));
    default:
      return compareNumbers(shell, operator, text, await expandText(shell, right));
  }
}

function matches(shell: Shell, text: string, pattern: string): boolean {
  const ignoreCase = shell.options.has("nocasematch");
  const key = `${ignoreCase ? "i" : "c"}${pattern}`;
  return shell
    .remember(shell.patternCache, key, () => compilePattern(pattern, { ignoreCase }))
    .test(text);
}

function matchRegExp(shell: Shell, text: string, source: string): boolean {
  const flags = shell.options.has("nocasematch") ? "sui" : "su";
  let match: SafeMatch | null;
  try {
    const regExp = shell.remember(
      shell.patternCache,
      `r${flags}${source}`,
      () => new SafeRegExp(translateRegExp(source, { syntax: "extended" }), flags),
    );
    match = regExp.exec(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RegExpSyntaxError)
      throw new ShellError("", "command", 2);
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
  const one = evaluateArithmetic(shell, left);
  const two = evaluateArithmetic(shell, right);
  if (!/^-(?:eq|ne|lt|le|gt|ge)$/.test(operator))
    throw new ShellError(`[[: ${operator}: binary operator expected`, "command", 2);
  return compareIntegers(operator, one, two);
}
