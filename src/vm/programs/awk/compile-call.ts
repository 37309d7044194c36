/** Calls of functions the program defines. */
import { AwkFatalError } from "./awk-error.ts";
import { after, type Code, lift, type Ready, valueCode, workOut } from "./code.ts";
import { targetOperands } from "./compile-place.ts";
import type { Compiler } from "./compiler.ts";
import type { Runtime } from "./runtime.ts";
import { type Exec, NORMAL, RETURN, type Signal, Unwind } from "./signals.ts";
import type { CallNode, Expr, FunctionNode } from "./syntax.ts";
import type { Value } from "./value.ts";

export interface FunctionCode {
  readonly node: FunctionNode;
  body?: Exec;
}

/** Calls within calls: each holds a frame and some promises. */
const DEPTH_LIMIT = 20_000;
/** So many calls deep the JavaScript stack starts anew. */
const STACK_DEPTH = 64;

export function compileCall(compiler: Compiler, node: CallNode): Code {
  if (node.isIndirect) return compileIndirect(compiler, node);
  const { rt } = compiler;
  const found = compiler.functions.get(node.name);
  if (found === undefined) return undefinedCall(compiler, node);
  const operands = node.args.map((one, at) => compileArgument(compiler, found.node, one, at));
  const code = callCode(rt, () => found, operands);
  if (node.args.length <= found.node.parameters.length) return code;
  return callCode(
    rt,
    () => found,
    operands,
    async () => {
      rt.line = node.line;
      await rt.warnHere(`function \`${node.name}' called with more arguments than declared`);
    },
  );
}

/** It fails when it is called, not before. */
function undefinedCall(compiler: Compiler, node: CallNode): Code {
  const operands = node.args.map((one) => compiler.expr(one));
  return lift(compiler.rt, operands, () => ({
    waits: true,
    value: () => {
      compiler.rt.line = node.line;
      throw new AwkFatalError(`function \`${node.name}' not defined`);
    },
  }));
}

/** `@name(…)`: the variable holds the function's name. */
function compileIndirect(compiler: Compiler, node: CallNode): Code {
  const { rt } = compiler;
  const name = compiler.rawValue(node.name);
  const operands = node.args.map(
    (one): Code =>
      one.kind === "variable" ? valueCode(rt, compiler.rawValue(one.name)) : compiler.expr(one),
  );
  const find = (): FunctionCode => {
    const called = rt.text(name());
    const found = compiler.functions.get(called);
    if (found === undefined)
      throw new AwkFatalError(`function called indirectly through \`${node.name}' does not exist`);
    return found;
  };
  return callCode(rt, find, operands);
}

function compileArgument(
  compiler: Compiler,
  called: FunctionNode,
  argument: Expr,
  at: number,
): Code {
  const { rt } = compiler;
  if (argument.kind === "group") return compileArgument(compiler, called, argument.inner, at);
  const isArray = compiler.scope.isArrayParameter(called.name, at);
  if (isArray && (argument.kind === "variable" || argument.kind === "element")) {
    const parameter = called.parameters[at] ?? "";
    return lift(rt, targetOperands(compiler, argument), (operands) =>
      arrayArgument(compiler, compiler.array(argument, operands), parameter),
    );
  }
  if (argument.kind === "variable") return valueCode(rt, compiler.rawValue(argument.name));
  return compiler.expr(argument);
}

/** A scalar given for an array is named by the parameter. */
function arrayArgument({ rt }: Compiler, array: () => Value, parameter: string): Ready {
  return valueCode(rt, () => {
    try {
      return array();
    } catch (error) {
      if (!(error instanceof AwkFatalError)) throw error;
      throw new AwkFatalError(`attempt to use scalar parameter \`${parameter}' as an array`);
    }
  });
}

function callCode(
  rt: Runtime,
  find: () => FunctionCode,
  operands: readonly Code[],
  before?: () => Promise<void>,
): Code {
  const start = (values: Value[]): Value | Promise<Value> =>
    before === undefined
      ? enterFunction(rt, find(), values)
      : before().then(() => enterFunction(rt, find(), values));
  return { waits: true, value: () => after(workOut(operands), start) };
}

/** Runs a function with its arguments. */
export function enterFunction(
  rt: Runtime,
  called: FunctionCode,
  values: Value[],
): Value | Promise<Value> {
  rt.depth += 1;
  if (rt.depth > DEPTH_LIMIT) throw new AwkFatalError("function call nesting is too deep");
  if (rt.mustPause()) return rt.pause().then(() => run(rt, called, values));
  if (rt.depth % STACK_DEPTH === 0) return Promise.resolve().then(() => run(rt, called, values));
  return run(rt, called, values);
}

function run(rt: Runtime, called: FunctionCode, values: Value[]): Value | Promise<Value> {
  const { parameters } = called.node;
  const before = rt.frame;
  values.length = Math.min(values.length, parameters.length);
  while (values.length < parameters.length) values.push(undefined);
  rt.frame = values;
  rt.returned = undefined;
  const leave = (signal: Signal): Value => {
    rt.frame = before;
    rt.depth -= 1;
    if (signal !== NORMAL && signal !== RETURN) throw new Unwind(signal);
    const { returned } = rt;
    rt.returned = undefined;
    return signal === RETURN ? returned : undefined;
  };
  const signal = called.body?.() ?? NORMAL;
  return typeof signal === "number" ? leave(signal) : signal.then(leave);
}
