import { isKernelError } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";
import { writeOutput } from "./echo.ts";

export async function pwd(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "LP", "pwd [-LP]");
  if (flags === undefined) return 2;
  const logical = shell.variables.get("PWD");
  const isLogical = !flags.on.has("P") && logical !== undefined && (await isHere(shell, logical));
  return writeOutput(shell, "pwd", `${isLogical ? logical : await shell.sys.getcwd()}\n`);
}

async function isHere(shell: Shell, path: string): Promise<boolean> {
  try {
    const here = await shell.sys.stat(".");
    const there = await shell.sys.stat(path);
    return path.startsWith("/") && here.ino === there.ino && here.dev === there.dev;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}
