import { isKernelError, type Stat, X_OK } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";

/** Finds a program by name: a path as it is, else along PATH. Undefined when there is none. */
export async function findProgram(
  shell: Shell,
  name: string,
  path?: string,
): Promise<string | undefined> {
  if (name.includes("/")) return name;
  const own = shell.variables.get("PATH") ?? "";
  if (shell.hashedPath !== own) shell.hash.clear();
  shell.hashedPath = own;
  const hashed = path === undefined ? shell.hash.get(name) : undefined;
  if (hashed !== undefined) return hashed;
  const found = (await findAll(shell, name, path ?? own, true))[0];
  if (found !== undefined && path === undefined) shell.hash.set(name, found);
  return found;
}

/** Every file of that name along a search path; the first executable one only where `isFirst`. */
export async function findAll(
  shell: Shell,
  name: string,
  path: string,
  isFirst = false,
): Promise<string[]> {
  const found: string[] = [];
  let fallback: string | undefined;
  for (const directory of path.split(":")) {
    const candidate = directory === "" ? `./${name}` : `${directory}/${name}`;
    const stat = await findStat(shell, candidate);
    if (stat?.kind !== "file") continue;
    if (await isExecutable(shell, candidate, stat)) {
      found.push(candidate);
      if (isFirst) return found;
    }
    fallback ??= candidate;
  }
  return found.length === 0 && isFirst && fallback !== undefined ? [fallback] : found;
}

async function findStat(shell: Shell, path: string): Promise<Stat | undefined> {
  try {
    return await shell.sys.stat(path);
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

async function isExecutable(shell: Shell, path: string, stat: Stat): Promise<boolean> {
  if ((stat.mode & 0o111) === 0o111) return true;
  try {
    await shell.sys.access(path, X_OK);
    return true;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}
