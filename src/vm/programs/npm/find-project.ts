/** Where a project begins: the nearest folder upwards with a package.json or node_modules. */
import type { Sys } from "../../../kernel/index.ts";
import { findStat } from "../run-command.ts";
import { NpmFailure } from "./failure.ts";
import { findManifest } from "./manifest.ts";
import { below, lastPart, withAncestors } from "./paths.ts";
import { findWorkspaces, workspacePatterns } from "./workspaces.ts";

export interface Project {
  readonly folder: string;
  /** The workspace of it that the working directory is in. */
  readonly workspace: string | undefined;
}

export async function findProject(sys: Sys, cwd: string): Promise<Project> {
  let found: string | undefined;
  for (const folder of withAncestors(cwd)) {
    if (lastPart(folder) === "node_modules") continue;
    const hasManifest = (await findStat(sys, below(folder, "package.json")))?.kind === "file";
    if (found === undefined) {
      if (hasManifest || (await hasModules(sys, folder))) found = folder;
      continue;
    }
    if (hasManifest && (await hasWorkspace(sys, folder, found)))
      return { folder, workspace: found };
  }
  return { folder: found ?? cwd, workspace: undefined };
}

/** /node_modules is the host's software, and no project's. */
async function hasModules(sys: Sys, folder: string): Promise<boolean> {
  if (folder === "/") return false;
  return (await findStat(sys, below(folder, "node_modules")))?.kind === "directory";
}

/** A broken package.json further up is nobody's. */
async function hasWorkspace(sys: Sys, folder: string, path: string): Promise<boolean> {
  try {
    const manifest = await findManifest(sys, folder);
    if (manifest === undefined || workspacePatterns(manifest.content).length === 0) return false;
    const workspaces = await findWorkspaces(sys, folder, manifest.content);
    return workspaces.some((one) => one.path === path);
  } catch (error) {
    if (error instanceof NpmFailure) return false;
    throw error;
  }
}
