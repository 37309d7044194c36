/** `npm uninstall` and `npm prune`: what nobody needs goes. Nothing is fetched, so nothing can be missing. */
import { findExtraneous, removePackages, sayChanges } from "./apply-install.ts";
import { NpmFailure } from "./failure.ts";
import { isSoftware, softwareFolders } from "./find-software.ts";
import { writeLocks } from "./install.ts";
import { InstalledPackages } from "./installed-packages.ts";
import { isPackageName, writeJsonFile } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { readTree } from "./package-tree.ts";
import { below } from "./paths.ts";
import { usage } from "./pkg.ts";
import { loadRoot, type ProjectRoot } from "./project-root.ts";
import { withoutDependency } from "./save-dependencies.ts";

export async function uninstall(run: NpmRun): Promise<void> {
  if (run.words.length === 0) throw usage("uninstall", "Must provide a package name to remove");
  for (const name of run.words)
    if (!isPackageName(name)) throw new NpmFailure(`Invalid package name: "${name}"`);
  const project = await loadRoot(run);
  if (run.isGlobal) {
    const paths = run.words.map((name) => below(run.root, `node_modules/${name}`));
    const removed = await removePackages(run, paths, new InstalledPackages(run.sys));
    await sayChanges(run, { added: 0, changed: 0, removed });
    return;
  }
  let { manifest } = project.tree;
  for (const name of run.words) manifest = withoutDependency(manifest, name);
  if (project.file !== undefined && run.config.is("save") && manifest !== project.tree.manifest)
    await writeJsonFile(run.sys, { ...project.file, content: manifest });
  await prune(run, { ...project, tree: { ...project.tree, manifest } });
}

export async function pruneProject(run: NpmRun): Promise<void> {
  await prune(run, await loadRoot(run));
}

async function prune(run: NpmRun, project: ProjectRoot): Promise<void> {
  const { tree: root, resolved } = project;
  const packages = new InstalledPackages(run.sys);
  const tree = await readTree(packages, root, resolved);
  const extraneous = await findExtraneous(run, { tree, packages });
  const isDry = run.config.is("dry-run");
  const removed = isDry ? extraneous.length : await removePackages(run, extraneous, packages);
  const software = await softwareFolders(run.sys, run.places.global);
  const facts = { tree, resolved, isSoftware: (path: string) => isSoftware(path, software) };
  if (!isDry) await writeLocks(run, project, { ...facts, isKept: false });
  await sayChanges(run, { added: 0, changed: 0, removed });
}
