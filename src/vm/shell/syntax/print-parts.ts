import type { ForLoop } from "./ast.ts";
import type { TestExpression } from "./test-ast.ts";

/** `for name in words`, as written. */
export function printLoopHead({ kind, name, words }: ForLoop): string {
  return `${kind} ${name} in ${words?.map(({ text }) => text).join(" ") ?? '"$@"'}`;
}

export function printTest(expression: TestExpression): string {
  switch (expression.kind) {
    case "unary":
      return `${expression.operator} ${expression.operand.text}`;
    case "binary":
      return `${expression.left.text} ${expression.operator} ${expression.right.text}`;
    case "logical":
      return expression.operands.map(printTest).join(` ${expression.operator} `);
    case "not":
      return `! ${printTest(expression.operand)}`;
    case "group":
      return `( ${printTest(expression.operand)} )`;
  }
}
