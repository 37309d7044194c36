import { AwkFatalError } from "./awk-error.ts";
import { enterFunction } from "./compile-call.ts";
import type { Compiler } from "./compiler.ts";
import type { Value } from "./value.ts";

/** Calls a function of the program's from one of awk's own. */
export async function callByName(
  compiler: Compiler,
  name: string,
  values: Value[],
): Promise<Value> {
  const found = compiler.functions.get(name);
  if (found === undefined) throw new AwkFatalError(`function \`${name}' not defined`);
  return enterFunction(compiler.rt, found, values);
}
