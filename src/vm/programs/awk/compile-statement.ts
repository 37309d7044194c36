/** Statements into functions. */
import { after, type Code, lift } from "./code.ts";
import { compileForIn, compileLoop } from "./compile-loop.ts";
import { compilePattern } from "./compile-operators.ts";
import { compileIndex, targetOperands } from "./compile-place.ts";
import { compilePrint, compilePrintf } from "./compile-print.ts";
import type { Compiler } from "./compiler.ts";
import {
  BREAK,
  CONTINUE,
  EXIT,
  type Exec,
  NEXT,
  NEXT_FILE,
  NORMAL,
  RETURN,
  type Signal,
} from "./signals.ts";
import type { Expr, Statement } from "./syntax.ts";
import { compareValues, toBoolean, toNumber, type Value } from "./value.ts";

type Node<K extends Statement["kind"]> = Extract<Statement, { kind: K }>;

export function compileStatement(compiler: Compiler, node: Statement): Exec {
  switch (node.kind) {
    case "expression":
      return compileEffect(compiler, node.expr, node.line);
    case "print":
      return compilePrint(compiler, node);
    case "printf":
      return compilePrintf(compiler, node);
    case "block":
      return compileBlock(node.body.map((one) => compiler.statement(one)));
    case "if":
      return compileIf(compiler, node);
    case "while":
    case "do":
    case "for":
      return compileLoop(compiler, node);
    case "for-in":
      return compileForIn(compiler, node);
    case "switch":
      return compileSwitch(compiler, node);
    case "break":
      return () => BREAK;
    case "continue":
      return () => CONTINUE;
    case "next":
      return () => NEXT;
    case "nextfile":
      return () => NEXT_FILE;
    case "exit":
      return compileExit(compiler, node);
    case "return":
      return compileReturn(compiler, node);
    case "delete":
      return compileDelete(compiler, node);
  }
}

const toNormal = (): Signal => NORMAL;

/** An expression for what it does. */
function compileEffect(compiler: Compiler, expr: Expr, line: number): Exec {
  const { rt } = compiler;
  const code = compiler.expr(expr);
  if (!code.waits) {
    // A step or a sum has its effect in its cheapest form.
    const run = expr.kind === "step" ? code.number : code.value;
    return () => {
      rt.line = line;
      run();
      return NORMAL;
    };
  }
  return () => {
    rt.line = line;
    return after(code.value(), toNormal);
  };
}

/** One after another until one ends otherwise. */
export function compileBlock(list: readonly Exec[]): Exec {
  const [first, second] = list;
  if (first === undefined) return () => NORMAL;
  if (second === undefined) return first;
  const rest = async (pending: Promise<Signal>, from: number): Promise<Signal> => {
    let signal: Signal | Promise<Signal> = await pending;
    for (let at = from; signal === NORMAL && at < list.length; at++) {
      signal = list[at]?.() ?? NORMAL;
      if (typeof signal !== "number") signal = await signal;
    }
    return signal;
  };
  return () => {
    for (let at = 0; at < list.length; at++) {
      const signal = list[at]?.() ?? NORMAL;
      if (signal === NORMAL) continue;
      return typeof signal === "number" ? signal : rest(signal, at + 1);
    }
    return NORMAL;
  };
}

function compileIf(compiler: Compiler, node: Node<"if">): Exec {
  const { rt } = compiler;
  const { line } = node;
  const test = compiler.expr(node.test);
  const yes = compiler.statement(node.yes);
  const no = node.no === undefined ? toNormal : compiler.statement(node.no);
  if (!test.waits) {
    return () => {
      rt.line = line;
      return test.test() ? yes() : no();
    };
  }
  return () => {
    rt.line = line;
    return after<Value, Signal>(test.value(), (value) => (toBoolean(value) ? yes() : no()));
  };
}

function compileSwitch(compiler: Compiler, node: Node<"switch">): Exec {
  const { rt } = compiler;
  const value = compiler.expr(node.value);
  const bodies = node.cases.map(({ body }) =>
    compileBlock(body.map((one) => compiler.statement(one))),
  );
  const tests = node.cases.map((one) => compileCase(compiler, one.value));
  const fallback = node.cases.findIndex((one) => one.value === undefined);
  const run = (found: Value): Signal | Promise<Signal> => {
    const at = tests.findIndex((test) => test?.(found) === true);
    const start = at === -1 ? fallback : at;
    if (start === -1) return NORMAL;
    const end = (signal: Signal): Signal => (signal === BREAK ? NORMAL : signal);
    return after(compileBlock(bodies.slice(start))(), end);
  };
  return () => {
    rt.line = node.line;
    return after(value.value(), run);
  };
}

function compileCase(
  compiler: Compiler,
  value: Expr | undefined,
): ((found: Value) => boolean) | undefined {
  if (value === undefined) return undefined;
  const { rt } = compiler;
  if (value.kind === "regexp") {
    const { pattern } = compilePattern(compiler, value);
    return (found) => pattern(undefined).test(rt.text(found));
  }
  const code: Code = compiler.expr(value);
  return (found) => {
    const wanted = code.waits ? undefined : code.value();
    if (typeof found === "number" && typeof wanted === "string") return false;
    return compareValues(found, wanted, rt.format, rt.ignoreCase) === 0;
  };
}

function compileExit(compiler: Compiler, node: Node<"exit" | "return">): Exec {
  const { rt } = compiler;
  if (node.value === undefined) return () => EXIT;
  const code = compiler.expr(node.value);
  return () =>
    after(code.value(), (value): Signal => {
      rt.exitStatus = Math.trunc(toNumber(value)) & 255;
      return EXIT;
    });
}

function compileReturn(compiler: Compiler, node: Node<"exit" | "return">): Exec {
  const { rt } = compiler;
  if (node.value === undefined) return () => RETURN;
  const code = compiler.expr(node.value);
  return () =>
    after(code.value(), (value): Signal => {
      rt.returned = value;
      return RETURN;
    });
}

function compileDelete(compiler: Compiler, node: Node<"delete">): Exec {
  const { rt } = compiler;
  const places = targetOperands(compiler, node.array);
  const index = node.index === undefined ? [] : [compileIndex(compiler, node.index)];
  const code = lift(rt, [...places, ...index], (operands) => {
    const array = compiler.array(node.array, operands.slice(0, places.length));
    const key = operands[places.length];
    return {
      waits: true,
      value: () => {
        if (key === undefined) array().clear();
        else array().delete(rt.key(key.value()));
        return undefined;
      },
    };
  });
  return () => {
    rt.line = node.line;
    return after(code.value(), toNormal);
  };
}
