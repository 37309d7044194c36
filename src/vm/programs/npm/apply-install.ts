/** Putting a plan into node_modules, and taking away what nobody needs. */
import { isKernelError } from "../../../kernel/index.ts";
import { relativePath } from "../relative-path.ts";
import { listNames, makeDirectories, removeTree } from "./files.ts";
import type { InstallPlan, Placement } from "./install-plan.ts";
import { type InstalledPackages, packageNames } from "./installed-packages.ts";
import { linkBins, unlinkBins } from "./link-bins.ts";
import { packageVersion } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import type { PackageTree } from "./package-tree.ts";
import { below, isInside, parentOf } from "./paths.ts";

export interface Changes {
  added: number;
  changed: number;
  removed: number;
}

/** Where commands of packages in a folder's node_modules are linked. */
export function binFolder(run: NpmRun, packagePath: string): string {
  const modules = packagePath.slice(
    0,
    packagePath.lastIndexOf("/node_modules/") + "/node_modules".length,
  );
  return run.isGlobal && modules === below(run.root, "node_modules")
    ? below(run.places.global, "bin")
    : below(modules, ".bin");
}

export async function applyPlan(
  run: NpmRun,
  plan: InstallPlan,
  packages: InstalledPackages,
): Promise<Changes> {
  const changes: Changes = { added: 0, changed: 0, removed: 0 };
  // Folders before what lies in them.
  const ordered = [...plan.placements.values()].toSorted((a, b) => a.path.length - b.path.length);
  for (const placement of ordered) {
    await putInPlace(run, placement);
    packages.forget(placement.path);
    if (placement.replaced === undefined) changes.added += 1;
    else changes.changed += 1;
  }
  if (run.config.is("bin-links"))
    for (const { path, manifest } of ordered)
      await linkBins(run.sys, {
        path,
        manifest,
        folder: binFolder(run, path),
        isForced: run.config.is("force"),
      });
  return changes;
}

async function putInPlace(
  run: NpmRun,
  { path, kind, content, replaced }: Placement,
): Promise<void> {
  const { sys } = run;
  if (replaced !== undefined) await unlinkBins(sys, binFolder(run, path), path);
  await removeTree(sys, path);
  await makeDirectories(sys, parentOf(path));
  if (kind === "link") await sys.symlink(relativePath(parentOf(path), content), path);
  else await sys.rename(content, path);
}

export interface PruneFacts {
  readonly tree: PackageTree;
  readonly packages: InstalledPackages;
}

/** Packages in the project's node_modules folders that nothing needs. */
export async function findExtraneous(run: NpmRun, { tree }: PruneFacts): Promise<string[]> {
  const folders = [tree.root.path, ...[...tree.packages.values()].flatMap(ownFolder(tree))];
  const extraneous: string[] = [];
  for (const folder of folders) {
    const modules = below(folder, "node_modules");
    for (const name of await packageNames(run.sys, modules)) {
      const path = below(modules, name);
      if (!tree.packages.has(path)) extraneous.push(path);
    }
  }
  return extraneous;
}

/** Folders of the project itself: neither the host's software nor somebody else's tree. */
function ownFolder(
  tree: PackageTree,
): (one: { readonly isLink: boolean; readonly realPath: string }) => string[] {
  return ({ isLink, realPath }) =>
    isInside(realPath, tree.root.path) && !isLink ? [realPath] : [];
}

export async function removePackages(
  run: NpmRun,
  paths: readonly string[],
  packages: InstalledPackages,
): Promise<number> {
  let removed = 0;
  for (const path of paths) {
    if ((await packages.find(path)) !== undefined) removed += 1;
    await unlinkBins(run.sys, binFolder(run, path), path);
    await removeTree(run.sys, path);
    packages.forget(path);
    const parent = parentOf(path);
    if (parent.slice(parent.lastIndexOf("/") + 1).startsWith("@")) await removeEmpty(run, parent);
  }
  return removed;
}

async function removeEmpty({ sys }: NpmRun, folder: string): Promise<void> {
  if ((await listNames(sys, folder)).length > 0) return;
  try {
    await sys.rmdir(folder);
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

export async function sayChanges(run: NpmRun, { added, changed, removed }: Changes): Promise<void> {
  if (run.config.isSilent) return;
  if (run.config.is("json")) {
    run.printJson({ added, changed, removed });
    return;
  }
  const count = (verb: string, number: number): string[] =>
    number === 0 ? [] : [`${verb} ${number} package${number === 1 ? "" : "s"}`];
  const parts = [
    ...count("added", added),
    ...count("removed", removed),
    ...count("changed", changed),
  ];
  const last = parts.pop();
  const text =
    last === undefined
      ? "up to date"
      : parts.length === 0
        ? last
        : `${parts.join(", ")}, and ${last}`;
  run.print(`\n${text} in ${await run.elapsed()}`);
}

export function describePlacement({ path, manifest }: Placement): string {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  return `${name} ${packageVersion(manifest) ?? ""}`.trimEnd();
}
