/** `npm rebuild`, `npm dedupe` and `npm link`. */

import { relativePath } from "../relative-path.ts";
import { findStat } from "../run-command.ts";
import { binFolder, sayChanges } from "./apply-install.ts";
import { networkFailure } from "./failure.ts";
import { makeDirectories, removeTree } from "./files.ts";
import { InstalledPackages } from "./installed-packages.ts";
import { linkBins } from "./link-bins.ts";
import { getManifest, isPackageName, packageName, requirePackageName } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { readTree } from "./package-tree.ts";
import { below, lastPart, parentOf, resolveFrom } from "./paths.ts";
import { loadRoot } from "./project-root.ts";

/** Links the commands of all that is installed anew. */
export async function rebuild(run: NpmRun): Promise<void> {
  const project = await loadRoot(run);
  const tree = await readTree(new InstalledPackages(run.sys), project.tree, project.resolved);
  for (const { path, manifest } of tree.packages.values())
    if (path.startsWith(`${run.root}/`))
      await linkBins(run.sys, {
        path,
        manifest,
        folder: binFolder(run, path),
        isForced: run.config.is("force"),
      });
  run.print("rebuilt dependencies successfully");
}

/** Packages are placed as high as they can be from the start. */
export async function dedupe(run: NpmRun): Promise<void> {
  await loadRoot(run);
  await sayChanges(run, { added: 0, changed: 0, removed: 0 });
}

/** `npm link` puts this package among the global ones; `npm link name` takes one from there. */
export async function linkPackage(run: NpmRun): Promise<void> {
  const words = run.words.length === 0 ? [undefined] : run.words;
  let added = 0;
  for (const word of words) added += await linkOne(run, word);
  await sayChanges(run, { added, changed: 0, removed: 0 });
}

async function linkOne(run: NpmRun, word: string | undefined): Promise<number> {
  const { sys, places } = run;
  const modules = below(places.global, "lib/node_modules");
  const isName = word !== undefined && isPackageName(word) && !word.startsWith(".");
  const target = isName
    ? below(modules, word)
    : word === undefined
      ? places.local
      : resolveFrom(places.cwd, word);
  if (isName && (await findStat(sys, target)) === undefined) throw networkFailure([word]);
  const { content } = await getManifest(sys, target);
  const name = requirePackageName(packageName(content) ?? lastPart(target));
  const global = below(modules, name);
  let added = 0;
  if (!isName) added += await putLink(run, global, target);
  if (!isName)
    await linkBins(sys, { path: global, manifest: content, folder: below(places.global, "bin") });
  if (word === undefined) return added;
  const local = below(places.local, `node_modules/${name}`);
  added += await putLink(run, local, global);
  await linkBins(sys, {
    path: local,
    manifest: content,
    folder: below(places.local, "node_modules/.bin"),
  });
  return added;
}

async function putLink({ sys }: NpmRun, place: string, target: string): Promise<number> {
  await makeDirectories(sys, parentOf(place));
  const wasThere = await removeTree(sys, place);
  await sys.symlink(relativePath(parentOf(place), target), place);
  return wasThere ? 0 : 1;
}
