import { findProgram } from "../run/find-command.ts";
import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";
import { writeOutput } from "./echo.ts";

/** `hash`: where programs were found, and how often they were run from there. */
export async function hash(shell: Shell, words: readonly string[]): Promise<number> {
  const usage = "hash [-lr] [-p pathname] [-dt] [name ...]";
  const flags = await readFlags(shell, words, "lrtdp:", usage);
  if (flags === undefined) return 2;
  const { on, values, operands } = flags;
  if (!shell.options.has("hashall")) {
    await shell.complain("hash: hashing disabled");
    return 1;
  }
  if (on.has("r")) shell.hash.clear();
  if (on.has("t")) return showPaths(shell, operands, on.has("l"));
  if (operands.length === 0) return on.has("r") ? 0 : listAll(shell, on.has("l"));
  let status = 0;
  for (const name of operands) {
    if (await change(shell, name, { path: values.get("p"), drops: on.has("d") })) continue;
    await shell.complain(`hash: ${name}: not found`);
    status = 1;
  }
  return status;
}

interface Change {
  readonly path: string | undefined;
  readonly drops: boolean;
}

async function change(shell: Shell, name: string, { path, drops }: Change): Promise<boolean> {
  shell.hashHits.delete(name);
  if (drops) return shell.hash.delete(name);
  if (path !== undefined) {
    shell.hashedPath = shell.variables.get("PATH") ?? "";
    shell.hash.set(name, path);
    return true;
  }
  if (name.includes("/")) return true;
  shell.hash.delete(name);
  return (await findProgram(shell, name)) !== undefined;
}

async function showPaths(
  shell: Shell,
  names: readonly string[],
  isReusable: boolean,
): Promise<number> {
  if (names.length === 0) {
    await shell.complain("hash: -t: option requires an argument");
    return 1;
  }
  let status = 0;
  for (const name of names) {
    const path = shell.hash.get(name);
    if (path === undefined) {
      await shell.complain(`hash: ${name}: not found`);
      status = 1;
    } else if (isReusable) {
      await writeOutput(shell, "hash", `builtin hash -p ${path} ${name}\n`);
    } else {
      await writeOutput(shell, "hash", names.length > 1 ? `${name}\t${path}\n` : `${path}\n`);
    }
  }
  return status;
}

async function listAll(shell: Shell, isReusable: boolean): Promise<number> {
  if (shell.hash.size === 0) return writeOutput(shell, "hash", "hash: hash table empty\n");
  const rows = [...shell.hash];
  if (isReusable) {
    const lines = rows.map(([name, path]) => `builtin hash -p ${path} ${name}\n`);
    return writeOutput(shell, "hash", lines.join(""));
  }
  const lines = rows.map(
    ([name, path]) => `${String(shell.hashHits.get(name) ?? 0).padStart(4)}\t${path}\n`,
  );
  return writeOutput(shell, "hash", `hits\tcommand\n${lines.join("")}`);
}
