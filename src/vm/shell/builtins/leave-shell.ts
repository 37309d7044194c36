/** `suspend` and `logout`. */
import { signals } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";
import { exit } from "./control.ts";

export async function suspend(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "f", "suspend [-f]");
  if (flags === undefined) return 2;
  if (!shell.options.has("monitor")) {
    await shell.complain("suspend: cannot suspend: no job control");
    return 1;
  }
  if (shell.options.has("login_shell") && !flags.on.has("f")) {
    await shell.complain("suspend: cannot suspend a login shell");
    return 1;
  }
  await shell.sys.kill(0, signals.SIGSTOP);
  return 0;
}

export async function logout(shell: Shell, words: readonly string[]): Promise<number> {
  if (shell.options.has("login_shell")) return exit(shell, words);
  await shell.complain("logout: not login shell: use `exit'");
  return 1;
}
