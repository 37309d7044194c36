/** The files a shell runs before its first command, and a login shell behind its last. */
import { isKernelError } from "../../kernel/index.ts";
import { readWhole, runSourced } from "./builtins/eval.ts";
import { expandParts } from "./expansion/word.ts";
import type { Invocation } from "./invocation.ts";
import type { Shell } from "./state/shell.ts";
import { readTemplate } from "./syntax/parse.ts";

/** A login shell's profile, an interactive shell's start file, or what BASH_ENV names. */
export async function readStartFiles(shell: Shell, invocation: Invocation): Promise<void> {
  const isPosix = shell.options.has("posix");
  if (invocation.isLogin) {
    if (invocation.readsProfile) await readProfile(shell, isPosix);
  } else if (shell.isInteractive) {
    await readInteractive(shell, invocation, isPosix);
  }
  if (!shell.isInteractive && !isPosix) await readNamed(shell, "BASH_ENV");
}

async function readProfile(shell: Shell, isPosix: boolean): Promise<void> {
  await runIfThere(shell, "/etc/profile");
  const names = isPosix ? [".profile"] : [".bash_profile", ".bash_login", ".profile"];
  for (const name of names) if (await runIfThere(shell, inHome(shell, name))) return;
}

async function readInteractive(
  shell: Shell,
  { readsStartFile, startFile }: Invocation,
  isPosix: boolean,
): Promise<void> {
  if (isPosix) return readNamed(shell, "ENV");
  if (!readsStartFile) return;
  await runIfThere(shell, "/etc/bash.bashrc");
  await runIfThere(shell, startFile ?? inHome(shell, ".bashrc"));
}

/** The file whose path is a variable's value, with its expansions made. */
async function readNamed(shell: Shell, variable: string): Promise<void> {
  const value = shell.variables.get(variable) ?? "";
  const path = value.includes("$") ? await expandParts(shell, readTemplate(value)) : value;
  if (path !== "") await runIfThere(shell, path);
}

/** What a login shell runs when it is left. */
export async function runLogout(shell: Shell): Promise<void> {
  await runIfThere(shell, inHome(shell, ".bash_logout"));
}

async function runIfThere(shell: Shell, path: string): Promise<boolean> {
  let text: string;
  try {
    text = await readWhole(shell, path);
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
  await runSourced(shell, { path, text, positional: [] });
  return true;
}

function inHome(shell: Shell, name: string): string {
  return `${shell.variables.get("HOME") ?? ""}/${name}`;
}
