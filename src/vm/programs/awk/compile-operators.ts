/** Operators on two values. */
import { MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";
import { AwkFatalError, AwkSyntaxError } from "./awk-error.ts";
import { type Code, lift, numberCode, type Ready, testCode, textCode } from "./code.ts";
import type { Compiler } from "./compiler.ts";
import type { Pattern } from "./patterns.ts";
import type { ArithmeticOperator, Expr } from "./syntax.ts";
import { compareValues, RegExpValue } from "./value.ts";

type Node<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;

/** Works one out. Fails with an AwkFatalError where it divides by zero. */
export function applyArithmetic(
  operator: ArithmeticOperator,
  left: number,
  right: number,
  isAssignment: boolean,
): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      if (right === 0) throw divisionByZero(isAssignment ? " in `/='" : "");
      return left / right;
    case "%":
      if (right === 0) throw divisionByZero(isAssignment ? " in `%='" : " in `%'");
      return left % right;
    case "^":
      return power(left, right);
  }
}

function divisionByZero(where: string): AwkFatalError {
  return new AwkFatalError(`division by zero attempted${where}`);
}

/** C's pow(): 1 to any power is 1. */
function power(left: number, right: number): number {
  return left === 1 ? 1 : left ** right;
}

/** Both sides' code, where a user has just two. */
function liftTwo(
  compiler: Compiler,
  left: Expr,
  right: Expr,
  build: (left: Ready, right: Ready) => Code,
): Code {
  return lift(compiler.rt, [compiler.expr(left), compiler.expr(right)], ([first, second]) => {
    if (first === undefined || second === undefined) throw new Error("two operands");
    return build(first, second);
  });
}

export function compileArithmetic(compiler: Compiler, node: Node<"arithmetic">): Code {
  const { rt } = compiler;
  const { operator, line } = node;
  checkConstants(node);
  return liftTwo(compiler, node.left, node.right, (left, right) => {
    switch (operator) {
      case "+":
        return numberCode(rt, () => left.number() + right.number());
      case "-":
        return numberCode(rt, () => left.number() - right.number());
      case "*":
        return numberCode(rt, () => left.number() * right.number());
      default:
        return numberCode(rt, () => {
          const dividend = left.number();
          const divisor = right.number();
          rt.line = line;
          return applyArithmetic(operator, dividend, divisor, false);
        });
    }
  });
}

/** A division of one constant by another is worked out, and refused, when the program is read. */
function checkConstants({ operator, left, right, line }: Node<"arithmetic">): void {
  if (left.kind !== "number" || right.kind !== "number" || right.value !== 0) return;
  if (operator !== "/" && operator !== "%") return;
  const where = operator === "%" ? " in `%'" : "";
  throw new AwkSyntaxError([`cmd. line:${line}: error: division by zero attempted${where}`]);
}

export function compileCompare(compiler: Compiler, node: Node<"compare">): Code {
  const { rt } = compiler;
  return liftTwo(compiler, node.left, node.right, (left, right) => {
    const order = comparison(compiler, node, left, right);
    switch (node.operator) {
      case "<":
        return testCode(() => order() < 0);
      case "<=":
        return testCode(() => order() <= 0);
      case "==":
        return testCode(() => order() === 0);
      case "!=":
        return testCode(() => order() !== 0);
      case ">":
        return testCode(() => order() > 0);
      case ">=":
        return testCode(() => order() >= 0);
    }
    return testCode(() => rt.ignoreCase);
  });
}

/** A comparison with a text compares texts; all others look at both values. */
function comparison(
  { rt }: Compiler,
  node: Node<"compare">,
  left: Ready,
  right: Ready,
): () => number {
  if (node.left.kind === "string" || node.right.kind === "string") {
    return () => {
      const first = left.text();
      const second = right.text();
      if (rt.ignoreCase) return compareValues(first, second, rt.format, true);
      return first === second ? 0 : first < second ? -1 : 1;
    };
  }
  return () => {
    const first = left.value();
    const second = right.value();
    if (typeof first === "number" && typeof second === "number" && first === second) return 0;
    return compareValues(first, second, rt.format, rt.ignoreCase);
  };
}

/** `a b c` is one list of parts. */
export function compileConcat(compiler: Compiler, node: Node<"concat">): Code {
  const parts: Expr[] = [];
  for (let one: Expr = node; ; one = one.left) {
    if (one.kind !== "concat") {
      parts.unshift(one);
      break;
    }
    parts.unshift(one.right);
  }
  const codes = parts.map((part) => compiler.expr(part));
  return lift(compiler.rt, codes, (ready) => {
    const [first, second, third] = ready.map(({ text }) => text);
    if (first !== undefined && second !== undefined && third === undefined)
      return textCode(() => bounded(first() + second()));
    return textCode(() => {
      let made = "";
      for (let at = 0; at < ready.length; at++) made += ready[at]?.text() ?? "";
      return bounded(made);
    });
  });
}

/** A text that grew too long for a program to hold is an error. */
export function bounded(text: string): string {
  if (text.length > MEMORY_LIMIT) throw new MemoryLimitError();
  return text;
}

export function compileMatch(compiler: Compiler, node: Node<"match">): Code {
  const { isNegated } = node;
  const { code, pattern } = compilePattern(compiler, node.right);
  const operands =
    code === undefined ? [compiler.expr(node.left)] : [compiler.expr(node.left), code];
  return lift(compiler.rt, operands, ([left, right]) => {
    const text = left?.text ?? ((): string => "");
    return isNegated
      ? testCode(() => !pattern(right).test(text()))
      : testCode(() => pattern(right).test(text()));
  });
}

/** A mistake in a `/…/` is one of the program. */
function getConstant({ rt }: Compiler, source: string): Pattern {
  try {
    return rt.patterns.get(source);
  } catch (error) {
    if (!(error instanceof AwkFatalError)) throw error;
    const message = error.message.replace("invalid regexp: ", "");
    throw new AwkSyntaxError([`cmd. line:1: error: ${message}`]);
  }
}

/** What gives the pattern of an expression where one is wanted: `/…/` itself, or a text. */
export function compilePattern(
  compiler: Compiler,
  node: Expr,
): {
  /** The operand to work out first; none for a `/…/`. */
  readonly code: Code | undefined;
  readonly pattern: (operand: Ready | undefined) => Pattern;
} {
  const { rt } = compiler;
  const { patterns } = rt;
  if (node.kind === "group") return compilePattern(compiler, node.inner);
  if (node.kind === "regexp") {
    const { source } = node;
    // A mistake in it is found when the program is read.
    let isIgnoring = rt.ignoreCase;
    let kept = getConstant(compiler, source);
    return {
      code: undefined,
      pattern: () => {
        if (isIgnoring !== rt.ignoreCase) {
          isIgnoring = rt.ignoreCase;
          kept = patterns.get(source);
        }
        return kept;
      },
    };
  }
  return {
    code: compiler.expr(node),
    pattern: (operand) => {
      const value = operand?.value();
      return patterns.get(value instanceof RegExpValue ? value.source : rt.text(value));
    },
  };
}
