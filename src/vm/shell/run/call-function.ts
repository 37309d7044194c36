import { DEPTH_LIMIT, type Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { FunctionReturn } from "../state/unwind.ts";
import type { FunctionDefinition } from "../syntax/ast.ts";
import { runTrap } from "./run-trap.ts";

/** Calls so many levels deep let the stack of the engine unwind first. */
const UNWIND_EVERY = 16;

// Deviation: functions, eval and source nest at most 4096 deep; bash goes on until its stack ends.
/** Calls a function: its own positional parameters, its own scope. */
export async function callFunction(
  shell: Shell,
  definition: FunctionDefinition,
  words: readonly string[],
): Promise<number> {
  if (shell.depth >= DEPTH_LIMIT) {
    throw new ShellError(
      `${definition.name}: maximum function nesting level exceeded (${DEPTH_LIMIT})`,
    );
  }
  const { positional, loopDepth } = shell;
  shell.depth += 1;
  if (shell.depth % UNWIND_EVERY === 0) await shell.sys.schedYield();
  shell.frames.push({
    kind: "function",
    name: definition.name,
    callLine: shell.line,
    file: shell.sourceName,
  });
  shell.positional = words.slice(1);
  shell.loopDepth = 0;
  shell.variables.pushScope("function");
  try {
    return await shell.interpreter.runCommand(shell, definition.body);
  } catch (error) {
    if (error instanceof FunctionReturn) return error.status;
    throw error;
  } finally {
    if (shell.traps.get("RETURN") !== undefined) await runTrap(shell, "RETURN");
    shell.variables.popScope();
    shell.positional = positional;
    shell.loopDepth = loopDepth;
    shell.frames.pop();
    shell.depth -= 1;
  }
}
