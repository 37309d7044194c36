/** Names in directories that complete a path. */
import { isKernelError, X_OK } from "../../../kernel/index.ts";
import { NameDatabase } from "../../programs/name-database.ts";
import type { Shell } from "../state/shell.ts";
import { readNames } from "./read-names.ts";

export type PathKind = "all" | "directories" | "executables";

/** Paths that start with `word`, written as the word is: `~` stays `~`. */
export async function listPaths(shell: Shell, word: string, kind: PathKind): Promise<string[]> {
  const slash = word.lastIndexOf("/") + 1;
  const shownDirectory = word.slice(0, slash);
  const start = word.slice(slash);
  const directory = await expandTilde(shell, shownDirectory);
  const listed = await readNames(shell, directory === "" ? "." : directory, start);
  const dots = start === "" ? [] : [".", ".."].filter((name) => name.startsWith(start));
  const names = [...dots, ...listed];
  const found: string[] = [];
  for (const name of names) {
    if (name.startsWith(".") && !start.startsWith(".") && !showsHidden(shell)) continue;
    if (await isWanted(shell, `${directory}${name}`, kind)) found.push(`${shownDirectory}${name}`);
  }
  return found;
}

/** readline shows hidden names unless `match-hidden-files` is off, which it is not by default. */
function showsHidden(shell: Shell): boolean {
  return shell.keyBindings.variable("match-hidden-files") !== "off";
}

async function isWanted(shell: Shell, path: string, kind: PathKind): Promise<boolean> {
  if (kind === "all") return true;
  try {
    const stat = await shell.sys.stat(path);
    if (stat.kind === "directory") return true;
    if (kind === "directories") return false;
    await shell.sys.access(path, X_OK);
    return stat.kind === "file";
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}

export async function isDirectory(shell: Shell, path: string): Promise<boolean> {
  return isWanted(shell, await expandTilde(shell, path), "directories");
}

/** `~` and `~user` at the start of a path as the directories they are. */
export async function expandTilde(shell: Shell, path: string): Promise<string> {
  const found = /^~([^/]*)(?=\/|$)/.exec(path);
  if (found === null) return path;
  const [whole, name = ""] = found;
  const home =
    name === ""
      ? shell.variables.get("HOME")
      : (await new NameDatabase(shell.sys).findUser(name))?.home;
  return home === undefined ? path : `${home}${path.slice(whole.length)}`;
}
