import { decodeText, isKernelError, O_CLOEXEC, O_RDONLY, type Sys } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { errorWords } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import { Compiler } from "./compiler.ts";
import type { Code } from "./machine.ts";
import { addImports, loadImports } from "./modules.ts";
import { parseModule } from "./parse-module.ts";
import type { Value } from "./value.ts";

/** The program of `-f`. Fails with a UsageError. */
export async function readProgram(sys: Sys, path: string): Promise<string> {
  try {
    const fd = await sys.open(path, O_RDONLY | O_CLOEXEC);
    try {
      return decodeText(await readAllBytes(sys, fd));
    } finally {
      await sys.close(fd);
    }
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const message = `Could not open ${path}: ${errorWords(error)}`;
    throw new UsageError(message, { status: 2, hasHint: false });
  }
}

/** Compiles a program with all it imports. Fails with a JqSyntaxError. */
export async function compileProgram(
  sys: Sys,
  text: string,
  globals: Map<string, Value>,
  libraries: readonly string[],
): Promise<Code> {
  const module = parseModule(text);
  const loaded = await loadImports(sys, module, libraries);
  const compiler = new Compiler(globals);
  let scope = addImports(compiler, compiler.rootScope, loaded, globals);
  for (const definition of module.definitions) scope = compiler.define(definition, scope);
  return compiler.compile(module.body ?? { kind: "identity" }, scope).code;
}
