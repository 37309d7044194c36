import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";
import { writeOutput } from "./echo.ts";

export async function pwd(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "LP", "pwd [-LP]");
  if (flags === undefined) return 2;
  const logical = shell.directory ?? shell.variables.get("PWD");
  if (
    !flags.on.has("P") &&
    (flags.on.has("L") || !shell.options.has("physical")) &&
    logical !== undefined
  )
    return writeOutput(shell, "pwd", `${logical}\n`);
  return writeOutput(shell, "pwd", `${await shell.sys.getcwd()}\n`);
}
