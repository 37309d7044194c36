import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package: the nearest one above with a package.json. Runs on Node 20. */
export function packageRoot(): string {
  for (const folder of foldersAbove(dirname(fileURLToPath(import.meta.url)))) {
    if (existsSync(join(folder, "package.json"))) return folder;
  }
  throw new Error("this package has no package.json");
}

/** Where npm has put a package that this one depends on; undefined where it is not installed. */
export function findDependency(name: string): string | undefined {
  return foldersAbove(packageRoot())
    .map((folder) => join(folder, "node_modules", name))
    .find((folder) => existsSync(folder));
}

function foldersAbove(start: string): string[] {
  const folders = [start];
  for (let at = start; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}
