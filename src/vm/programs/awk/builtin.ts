/** How awk's own functions are put into tables. */
import { type Code, lift, type Ready } from "./code.ts";
import type { Compiler } from "./compiler.ts";
import type { Runtime } from "./runtime.ts";
import type { BuiltinNode } from "./syntax.ts";

export type BuiltinCompiler = (compiler: Compiler, node: BuiltinNode) => Code;

/** A function of its arguments' values. */
export function plain(
  build: (rt: Runtime, args: readonly Ready[], line: number) => Code,
): BuiltinCompiler {
  return (compiler, node) => {
    const codes = node.args.map((one) => compiler.expr(one));
    return lift(compiler.rt, codes, (ready) => build(compiler.rt, ready, node.line));
  };
}
