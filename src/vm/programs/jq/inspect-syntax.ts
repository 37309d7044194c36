/** Questions about a program's text that decide how it is compiled. */
import type { Expression } from "./syntax.ts";

/** The expressions directly within one. */
function partsOf(expression: Expression): readonly (Expression | undefined)[] {
  switch (expression.kind) {
    case "field":
      return [expression.target, expression.key];
    case "slice":
      return [expression.target, expression.from, expression.to];
    case "each":
      return [expression.target];
    case "pipe":
    case "comma":
    case "binary":
    case "logic":
    case "assign":
      return [expression.left, expression.right];
    case "negate":
      return [expression.operand];
    case "if":
      return [expression.condition, expression.consequence, expression.otherwise];
    case "try":
      return [expression.body, expression.handler];
    case "call":
      return expression.args;
    case "array":
      return [expression.body];
    case "object":
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case "string":
      return expression.parts.filter((part) => typeof part !== "string");
    default:
      return [];
  }
}

/** Whether it sets variables, labels or functions of its own. */
export function hasBinder(expression: Expression): boolean {
  switch (expression.kind) {
    case "as":
    case "reduce":
    case "foreach":
    case "label":
    case "def":
      return true;
    default:
      return partsOf(expression).some((part) => part !== undefined && hasBinder(part));
  }
}

/** Whether its result holds no part of its input: variables, literals and what is made of them. */
export function isInputFree(expression: Expression): boolean {
  switch (expression.kind) {
    case "variable":
    case "literal":
      return true;
    case "pipe":
      return isInputFree(expression.left);
    case "field":
    case "array":
    case "object":
    case "binary":
    case "negate":
    case "string":
      return partsOf(expression).every((part) => part === undefined || isInputFree(part));
    default:
      return false;
  }
}
