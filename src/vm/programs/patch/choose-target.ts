/** Which file a patch is for. */
import type { Sys } from "../../../kernel/index.ts";
import { baseName } from "../directory.ts";
import { findStat } from "../run-command.ts";
import type { FilePatch } from "./parse-patch.ts";

/** Removes leading parts of a name: `strip` slashes, or all directories where it is undefined. */
function stripName(name: string, strip: number | undefined): string | undefined {
  if (name === "/dev/null") return undefined;
  if (strip === undefined) return baseName(name);
  let rest = name;
  for (let left = strip; left > 0; left--) {
    const slash = rest.indexOf("/");
    if (slash === -1) return undefined;
    rest = rest.slice(slash).replace(/^\/+/, "");
  }
  return rest === "" ? undefined : rest;
}

/** A name that would lead out of the directory: absolute, or with `..`. */
export function isDangerous(name: string): boolean {
  return name.startsWith("/") || name.split("/").includes("..");
}

/** The names a patch gives its file, stripped. */
export function listNames(patch: FilePatch, strip: number | undefined): string[] {
  const { git } = patch;
  const given =
    patch.old === undefined && patch.new === undefined
      ? git === undefined
        ? [patch.index]
        : [git.oldName, git.newName]
      : [patch.old?.name, patch.new?.name];
  return given
    .map((name) => (name === undefined ? undefined : stripName(name, strip)))
    .filter((name) => name !== undefined);
}

/** The best name among those of the header; undefined where no file is to be found. */
export async function chooseTarget(
  sys: Sys,
  patch: FilePatch,
  strip: number | undefined,
  isCreating: boolean,
): Promise<string | undefined> {
  const names = listNames(patch, strip).filter((name) => !isDangerous(name));
  const existing: string[] = [];
  for (const name of names)
    if ((await findStat(sys, name, true)) !== undefined) existing.push(name);
  if (existing.length > 0) return bestOf(existing);
  return isCreating ? bestOf(await leastNewDirectories(sys, names)) : undefined;
}

/** Those of the names that need the fewest new directories. */
async function leastNewDirectories(sys: Sys, names: readonly string[]): Promise<string[]> {
  const needed = await Promise.all(names.map((name) => countNewDirectories(sys, name)));
  return names.filter((_, at) => needed[at] === Math.min(...needed));
}

async function countNewDirectories(sys: Sys, name: string): Promise<number> {
  const directories = name.split("/").slice(0, -1);
  for (let count = directories.length; count > 0; count -= 1) {
    const stat = await findStat(sys, directories.slice(0, count).join("/"), true);
    if (stat?.kind === "directory") return directories.length - count;
  }
  return directories.length;
}

/** Of the names with the fewest parts that with the shortest base, then the shortest, then the first. */
function bestOf(names: readonly string[]): string | undefined {
  const rank = (name: string): readonly number[] => [
    name.split("/").length,
    baseName(name).length,
    name.length,
  ];
  return names.toSorted((a, b) => {
    const [first, second] = [rank(a), rank(b)];
    const at = first.findIndex((value, place) => value !== second[place]);
    return at === -1 ? 0 : (first[at] ?? 0) - (second[at] ?? 0);
  })[0];
}
