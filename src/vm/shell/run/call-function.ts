import { DEPTH_LIMIT, type Shell } from "../state/shell.ts";
import { ShellError, saidHere } from "../state/shell-error.ts";
import { FunctionReturn } from "../state/unwind.ts";
import { LOCAL_OPTIONS } from "../state/variables.ts";
import type { FunctionDefinition } from "../syntax/ast.ts";
import { runDebugTrap, withoutOwnTraps } from "./debug-trap.ts";
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
  requireDepth(shell, definition.name);
  const { positional, loopDepth } = shell;
  shell.depth += 1;
  if (shell.depth % UNWIND_EVERY === 0) await shell.sys.schedYield();
  shell.frames.push({
    kind: "function",
    name: definition.name,
    callLine: shell.line,
    file: definition.file ?? shell.sourceName,
    args: words.slice(1),
  });
  shell.positional = words.slice(1);
  shell.loopDepth = 0;
  shell.variables.pushScope("function");
  try {
    return await withoutOwnTraps(shell, () => runBody(shell, definition));
  } catch (error) {
    throw await saidHere(shell, error);
  } finally {
    const options = shell.variables.findLocal(LOCAL_OPTIONS)?.value;
    if (typeof options === "string") shell.options.restore(options);
    shell.variables.popScope();
    shell.positional = positional;
    shell.loopDepth = loopDepth;
    shell.frames.pop();
    shell.depth -= 1;
  }
}

/** FUNCNEST, and a limit of our own. */
function requireDepth(shell: Shell, name: string): void {
  const wanted = Number(shell.variables.get("FUNCNEST") ?? "0");
  const calls = shell.frames.filter(({ kind }) => kind === "function").length;
  const limit = wanted > 0 && calls >= wanted ? wanted : DEPTH_LIMIT;
  if (limit === DEPTH_LIMIT && shell.depth < DEPTH_LIMIT) return;
  throw new ShellError(`${name}: maximum function nesting level exceeded (${limit})`);
}

async function runBody(shell: Shell, definition: FunctionDefinition): Promise<number> {
  const callLine = shell.line;
  if (shell.traps.get("DEBUG") !== undefined) {
    shell.line = definition.line;
    if (shell.command !== undefined) await runDebugTrap(shell, shell.command);
  }
  try {
    return await shell.interpreter.runCommand(shell, definition.body);
  } catch (error) {
    if (error instanceof FunctionReturn) return error.status;
    throw error;
  } finally {
    if (shell.traps.get("RETURN") !== undefined) await runTrap(shell, "RETURN");
    shell.line = callLine;
  }
}
