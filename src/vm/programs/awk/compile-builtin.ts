/** Calls of awk's own functions. */
import { arrayBuiltins } from "./builtins-arrays.ts";
import { fileBuiltins } from "./builtins-files.ts";
import { numberBuiltins } from "./builtins-numbers.ts";
import { substituteBuiltins } from "./builtins-substitute.ts";
import { textBuiltins } from "./builtins-text.ts";
import { timeBuiltins } from "./builtins-time.ts";
import type { Code } from "./code.ts";
import type { Compiler } from "./compiler.ts";
import type { BuiltinNode } from "./syntax.ts";

const builtins = new Map([
  ...textBuiltins,
  ...substituteBuiltins,
  ...numberBuiltins,
  ...arrayBuiltins,
  ...fileBuiltins,
  ...timeBuiltins,
]);

export function compileBuiltin(compiler: Compiler, node: BuiltinNode): Code {
  const compile = builtins.get(node.name);
  if (compile === undefined) throw new Error(`no builtin ${node.name}`);
  return compile(compiler, node);
}
