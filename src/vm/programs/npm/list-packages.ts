/** `npm ls`: what is installed, what is missing, what nobody needs. */
import { findExtraneous } from "./apply-install.ts";
import { drawTree } from "./draw-tree.ts";
import { NpmFailure } from "./failure.ts";
import { InstalledPackages } from "./installed-packages.ts";
import type { NpmRun } from "./npm-run.ts";
import { type Listed, PackageListing } from "./package-listing.ts";
import { parseWord } from "./package-spec.ts";
import { readTree } from "./package-tree.ts";
import { loadRoot } from "./project-root.ts";
import { drawnNode, jsonItem } from "./show-listing.ts";
import { chosenWorkspaces } from "./workspaces.ts";

export async function listPackages(run: NpmRun): Promise<void> {
  const { config } = run;
  const project = await loadRoot(run);
  const packages = new InstalledPackages(run.sys);
  const tree = await readTree(packages, project.tree, project.resolved);
  const extraneous = run.isGlobal ? [] : await findExtraneous(run, { tree, packages });
  const workspaces = await chosenWorkspaces(run);
  const isAll = config.is("all") || run.command === "ll" || run.words.length > 0;
  const depth = config.find("depth");
  const listing = new PackageListing({
    tree,
    packages,
    extraneous,
    depth: depth === undefined ? (isAll ? Number.POSITIVE_INFINITY : 0) : Number(depth) || 0,
    wanted: run.words.map((word) => parseWord(word, run.places.cwd)),
    omitted: new Set(config.list("omit")),
    workspaces: workspaces?.map(({ path }) => path),
    isLinksOnly: config.is("link"),
  });
  const root = await listing.build();
  print(run, root, { resolved: project.resolved, problems: listing.problems });
  if (run.words.length > 0 && root.children.length === 0) run.status = 1;
  if (listing.problems.some((one) => !one.startsWith("extraneous:")))
    throw new NpmFailure(listing.problems.join("\n"), { code: "ELSPROBLEMS" });
}

function print(
  run: NpmRun,
  root: Listed,
  facts: Parameters<typeof jsonItem>[2] & { readonly problems: readonly string[] },
): void {
  const { config } = run;
  if (config.is("json")) {
    run.printJson(jsonItem(run, root, facts));
    return;
  }
  if (config.is("parseable")) {
    for (const path of paths(root)) run.print(path);
    return;
  }
  run.print(drawTree(drawnNode(run, root), config.is("unicode")));
}

/** Each once. */
function paths(root: Listed): Set<string> {
  const found = new Set<string>();
  const stack = [root];
  for (let one = stack.shift(); one !== undefined; one = stack.shift()) {
    if (one.package !== undefined) found.add(one.package.path);
    stack.push(...one.children);
  }
  return found;
}
