/** The project, or for `-g` the folder of global packages, that a command works on. */
import type { JsonObject } from "./json.ts";
import { findLock, lockResolved, type Resolved } from "./lock-file.ts";
import { findJsonFile, findManifest, type JsonFile } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import type { TreeRoot } from "./package-tree.ts";
import { below } from "./paths.ts";
import { findWorkspaces } from "./workspaces.ts";

export interface ProjectRoot {
  readonly tree: TreeRoot;
  /** Undefined where there is no package.json. */
  readonly file: JsonFile | undefined;
  readonly lock: JsonFile | undefined;
  /** Where packages came from, as the lock files tell. */
  readonly resolved: ReadonlyMap<string, Resolved>;
}

export async function loadRoot(run: NpmRun): Promise<ProjectRoot> {
  const { sys, root: folder } = run;
  if (run.isGlobal) {
    const tree = { folder, manifest: {}, workspaces: [], isGlobal: true };
    return { tree, file: undefined, lock: undefined, resolved: new Map() };
  }
  const file = await findManifest(sys, folder);
  const manifest: JsonObject = file?.content ?? {};
  const lock = await findLock(sys, folder);
  const hidden = await findJsonFile(sys, below(folder, "node_modules/.package-lock.json"));
  const resolved = new Map([
    ...lockResolved(folder, lock?.content),
    ...lockResolved(folder, hidden?.content),
  ]);
  const workspaces = await findWorkspaces(sys, folder, manifest);
  return { tree: { folder, manifest, workspaces }, file, lock, resolved };
}
