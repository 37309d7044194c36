/** The operators of jq's grammar, and what they make. */
import { type BinaryOperator, type Definition, type Expression, JqSyntaxError } from "./syntax.ts";

/** Binary operators by how tightly they bind, the loosest first. */
export const levels: readonly {
  readonly signs: readonly string[];
  readonly side: "left" | "right" | "none";
}[] = [
  { signs: ["//"], side: "right" },
  { signs: ["=", "|=", "+=", "-=", "*=", "/=", "%=", "//="], side: "none" },
  { signs: ["or"], side: "left" },
  { signs: ["and"], side: "left" },
  { signs: ["==", "!=", "<", "<=", ">", ">="], side: "none" },
  { signs: ["+", "-"], side: "left" },
  { signs: ["*", "/", "%"], side: "left" },
];
/** Of `+` and `-`, which a minus sign binds like. */
export const ADDITION_LEVEL = 5;

/** An operation whose left side stands at a place. Fails with a JqSyntaxError. */
export function makeBinary(
  sign: string,
  left: Expression,
  right: Expression,
  at: number,
): Expression {
  switch (sign) {
    case "/":
      return makeDivision(left, right, at);
    case "and":
    case "or":
    case "//":
      return { kind: "logic", operator: sign, left, right };
    case "=":
    case "|=":
      return { kind: "assign", operator: sign, left, right };
    case "//=":
      return { kind: "assign", operator: "//", left, right };
    default: {
      const isAssignment = /^[-+*/%]=$/.test(sign);
      const operator = binaryOperators.find(
        (one) => one === (isAssignment ? sign.slice(0, 1) : sign),
      );
      if (operator === undefined) throw new JqSyntaxError(`unknown operator ${sign}`, 0);
      return isAssignment
        ? { kind: "assign", operator, left, right }
        : { kind: "binary", operator, left, right };
    }
  }
}

/** jq divides constants as it compiles, and by zero not at all. */
function makeDivision(left: Expression, right: Expression, at: number): Expression {
  const [one, other] = [constantOf(left), constantOf(right)];
  if (one === undefined || !Object.is(other, 0))
    return { kind: "binary", operator: "/", left, right };
  if (one !== 0) throw new JqSyntaxError("Division by zero?", at);
  return { kind: "literal", value: Number.NaN };
}

function constantOf(expression: Expression): number | undefined {
  if (expression.kind === "literal")
    return typeof expression.value === "number" ? expression.value : undefined;
  if (expression.kind !== "binary") return undefined;
  const [left, right] = [constantOf(expression.left), constantOf(expression.right)];
  if (left === undefined || right === undefined) return undefined;
  switch (expression.operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    default:
      return undefined;
  }
}

const binaryOperators: readonly BinaryOperator[] = [
  "+",
  "-",
  "*",
  "/",
  "%",
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
];

/** `a | def f: …; b | c`: a definition holds to the end. */
export function joinStages(
  stages: readonly Expression[],
  definitions: readonly { readonly definition: Definition; readonly before: number }[],
): Expression {
  let body: Expression | undefined;
  for (let at = stages.length - 1; at >= 0; at--) {
    const stage = stages[at] ?? { kind: "identity" };
    body = body === undefined ? stage : { kind: "pipe", left: stage, right: body };
    for (const { definition, before } of definitions.toReversed())
      if (before === at) body = { kind: "def", definition, body };
  }
  return body ?? { kind: "identity" };
}
