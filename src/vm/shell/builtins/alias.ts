import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";

export async function alias(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "p", "alias [-p] [name[=value] ... ]");
  if (flags === undefined) return 2;
  if (flags.operands.length === 0) {
    for (const [name, value] of [...shell.aliases].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      await shell.write(1, show(name, value));
    }
    return 0;
  }
  let status = 0;
  for (const operand of flags.operands) {
    const at = operand.indexOf("=");
    if (at > 0 && /[\s$`'"\\/;&|()<>]/.test(operand.slice(0, at))) {
      await shell.complain(`alias: \`${operand.slice(0, at)}': invalid alias name`);
      status = 1;
      continue;
    }
    if (at > 0) {
      shell.aliases.set(operand.slice(0, at), operand.slice(at + 1));
      continue;
    }
    const value = shell.aliases.get(operand);
    if (value !== undefined) {
      await shell.write(1, show(operand, value));
      continue;
    }
    await shell.complain(`alias: ${operand}: not found`);
    status = 1;
  }
  return status;
}

function show(name: string, value: string): string {
  return `alias ${name.startsWith("-") ? "-- " : ""}${name}='${value.replaceAll("'", "'\\''")}'\n`;
}

export async function unalias(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "a", "unalias [-a] name [name ...]");
  if (flags === undefined) return 2;
  if (flags.on.has("a")) shell.aliases.clear();
  else if (flags.operands.length === 0) {
    await shell.write(2, "unalias: usage: unalias [-a] name [name ...]\n");
    return 2;
  }
  let status = 0;
  for (const name of flags.operands) {
    if (shell.aliases.delete(name)) continue;
    await shell.complain(`unalias: ${name}: not found`);
    status = 1;
  }
  return status;
}
