/** Expressions into functions. */
import {
  after,
  type Code,
  lift,
  numberCode,
  type Ready,
  testCode,
  textCode,
  valueCode,
} from "./code.ts";
import { compileGetline } from "./compile-getline.ts";
import {
  applyArithmetic,
  compileArithmetic,
  compileCompare,
  compileConcat,
  compileMatch,
  compilePattern,
} from "./compile-operators.ts";
import { compileIndex, compilePlace, compileTarget, targetOperands } from "./compile-place.ts";
import type { Compiler } from "./compiler.ts";
import type { Expr } from "./syntax.ts";
import { RegExpValue, toBoolean, type Value } from "./value.ts";

type Node<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;

export function compileExpression(compiler: Compiler, node: Expr): Code {
  const { rt } = compiler;
  switch (node.kind) {
    case "number":
      return compileNumber(compiler, node.value);
    case "string":
      return textCode(() => node.text);
    case "regexp":
      return compileRegExp(compiler, node);
    case "variable":
    case "element":
    case "field":
      return compileTarget(compiler, node);
    case "assign":
      return compileAssign(compiler, node);
    case "step":
      return compileStep(compiler, node);
    case "unary":
      return compileUnary(compiler, node);
    case "arithmetic":
      return compileArithmetic(compiler, node);
    case "and":
    case "or":
      return compileLogic(compiler, node);
    case "choose":
      return compileChoose(compiler, node);
    case "match":
      return compileMatch(compiler, node);
    case "in":
      return compileIn(compiler, node);
    case "concat":
      return compileConcat(compiler, node);
    case "compare":
      return compileCompare(compiler, node);
    case "group":
      return compiler.expr(node.inner);
    case "list":
      return valueCode(rt, () => undefined);
    case "call":
      return compiler.call(node);
    case "builtin":
      return compiler.builtin(node);
    case "getline":
      return compileGetline(compiler, node);
  }
}

function compileNumber({ rt }: Compiler, value: number): Ready {
  return numberCode(rt, () => value);
}

function compileRegExp(compiler: Compiler, node: Node<"regexp">): Ready {
  const { rt } = compiler;
  const value = new RegExpValue(node.source);
  if (node.isTyped) return valueCode(rt, () => value);
  const { pattern } = compilePattern(compiler, node);
  return testCode(() => pattern(undefined).test(rt.record.text));
}

function compileAssign(compiler: Compiler, node: Node<"assign">): Code {
  const { rt } = compiler;
  const { target, operator, line } = node;
  // The right side comes first, then the subscripts, as gawk does it.
  const operands = [compiler.expr(node.value), ...targetOperands(compiler, target)];
  return lift(rt, operands, ([right, ...places]) => {
    const place = compilePlace(compiler, target, places);
    if (right === undefined) return valueCode(rt, place.load);
    if (operator === undefined) {
      return valueCode(rt, () => {
        const value = right.value();
        place.store(value);
        return value;
      });
    }
    if (operator === "+") {
      return numberCode(rt, () => {
        const added = right.number();
        return place.update((before) => before + added);
      });
    }
    return numberCode(rt, () => {
      const by = right.number();
      return place.update((before) => {
        rt.line = line;
        return applyArithmetic(operator, before, by, true);
      });
    });
  });
}

function compileStep(compiler: Compiler, { target, by, isPrefix }: Node<"step">): Code {
  const { rt } = compiler;
  const change = by === 1 ? (before: number) => before + 1 : (before: number) => before - 1;
  return lift(rt, targetOperands(compiler, target), (operands) => {
    const { update } = compilePlace(compiler, target, operands);
    return numberCode(rt, isPrefix ? () => update(change) : () => update(change) - by);
  });
}

function compileUnary(compiler: Compiler, { operator, operand }: Node<"unary">): Code {
  const { rt } = compiler;
  return lift(rt, [compiler.expr(operand)], ([code]) => {
    if (code === undefined) return valueCode(rt, () => undefined);
    if (operator === "!") return testCode(() => !code.test());
    if (operator === "+") return numberCode(rt, code.number);
    return numberCode(rt, () => -code.number());
  });
}

function compileLogic(compiler: Compiler, node: Node<"and" | "or">): Code {
  const left = compiler.expr(node.left);
  const right = compiler.expr(node.right);
  const isAnd = node.kind === "and";
  if (!left.waits && !right.waits) {
    return isAnd
      ? testCode(() => left.test() && right.test())
      : testCode(() => left.test() || right.test());
  }
  const toBit = (value: Value): Value => (toBoolean(value) ? 1 : 0);
  return {
    waits: true,
    value: () =>
      after(left.value(), (first) =>
        toBoolean(first) === isAnd ? after(right.value(), toBit) : isAnd ? 0 : 1,
      ),
  };
}

function compileChoose(compiler: Compiler, node: Node<"choose">): Code {
  const { rt } = compiler;
  const test = compiler.expr(node.test);
  const yes = compiler.expr(node.yes);
  const no = compiler.expr(node.no);
  if (!test.waits && !yes.waits && !no.waits) {
    return {
      ...valueCode(rt, () => (test.test() ? yes.value() : no.value())),
      text: () => (test.test() ? yes.text() : no.text()),
      number: () => (test.test() ? yes.number() : no.number()),
    };
  }
  return {
    waits: true,
    value: () =>
      after<Value, Value>(test.value(), (value) => (toBoolean(value) ? yes.value() : no.value())),
  };
}

function compileIn(compiler: Compiler, node: Node<"in">): Code {
  const { rt } = compiler;
  const index = compileIndex(compiler, node.index);
  return lift(rt, [index, ...targetOperands(compiler, node.array)], ([key, ...operands]) => {
    const array = compiler.array(node.array, operands);
    return testCode(() => array().has(rt.key(key?.value())));
  });
}
