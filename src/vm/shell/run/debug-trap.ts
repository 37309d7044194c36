import type { Shell } from "../state/shell.ts";
import { FunctionReturn } from "../state/unwind.ts";
import type { Command } from "../syntax/ast.ts";
import { runTrap } from "./run-trap.ts";

/** Traps a function or a sourced file has only where an option hands them on. */
const handedOn = [
  ["DEBUG", "functrace"],
  ["RETURN", "functrace"],
  ["ERR", "errtrace"],
] as const;

/**
 * Before a command: BASH_COMMAND is this one, and the DEBUG trap runs. False where the command is
 * not to run, as `extdebug` lets the trap's status say.
 */
export async function runDebugTrap(shell: Shell, command: Command | string): Promise<boolean> {
  if (shell.runningTraps.size === 0) shell.command = command;
  if (shell.traps.get("DEBUG") === undefined) return true;
  const status = await runTrap(shell, "DEBUG");
  if (status === 0 || !shell.options.has("extdebug")) return true;
  if (status === 2 && shell.frames.length > 0) throw new FunctionReturn(0);
  return false;
}

/** Runs `step` without the traps that are not handed on to it; they are back afterwards, unless it has set its own. */
export async function withoutOwnTraps<T>(
  shell: Shell,
  step: () => Promise<T>,
  conditions: readonly string[] = ["DEBUG", "RETURN", "ERR"],
): Promise<T> {
  const { traps, options } = shell;
  const wanted = handedOn.filter(([condition]) => conditions.includes(condition));
  const kept = wanted.flatMap(([condition, option]) => {
    const command = options.has(option) ? undefined : traps.get(condition);
    return command === undefined ? [] : [[condition, command] as const];
  });
  for (const [condition] of kept) traps.delete(condition);
  try {
    return await step();
  } finally {
    for (const [condition, command] of kept) {
      if (traps.get(condition) === undefined) traps.set(condition, command);
    }
  }
}
