/** `npm explain`: who needs a package. */

import { relativePath } from "../relative-path.ts";
import { NpmFailure } from "./failure.ts";
import { InstalledPackages } from "./installed-packages.ts";
import { packageId } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { type PackageTree, readTree, type TreeEdge, type TreePackage } from "./package-tree.ts";
import { usage } from "./pkg.ts";
import { loadRoot } from "./project-root.ts";

/** Steps upwards that are shown. */
const DEPTH_LIMIT = 100;

export async function explain(run: NpmRun): Promise<void> {
  if (run.words.length === 0) throw usage("explain");
  const project = await loadRoot(run);
  const tree = await readTree(new InstalledPackages(run.sys), project.tree, project.resolved);
  const found = [...tree.packages.values()].filter(({ name, path }) =>
    run.words.some((word) => word === name || relativePath(tree.root.path, path) === word),
  );
  if (found.length === 0)
    throw new NpmFailure(`No dependencies found matching ${run.words.join(", ")}`);
  const edges = [tree.root, ...tree.packages.values()].flatMap((one) => one.edges);
  const texts = found.map((one) => explainOne(tree, edges, one).join("\n"));
  run.print(texts.join("\n\n"));
}

function explainOne(tree: PackageTree, edges: readonly TreeEdge[], one: TreePackage): string[] {
  const head = [packageId(one.manifest) ?? `${one.name}@`, relativePath(tree.root.path, one.path)];
  return [...head, ...needers(tree, edges, { one, path: [one], depth: 1 })];
}

function needers(
  tree: PackageTree,
  edges: readonly TreeEdge[],
  {
    one,
    path,
    depth,
  }: { readonly one: TreePackage; readonly path: readonly TreePackage[]; readonly depth: number },
): string[] {
  const start = "  ".repeat(depth);
  const kinds: Readonly<Record<string, string>> = {
    dev: "dev ",
    optional: "optional ",
    peer: "peer ",
    peerOptional: "peerOptional ",
  };
  return edges
    .filter(({ to }) => to === one)
    .flatMap(({ name, spec, kind, from }) => {
      const needs = `${start}${kinds[kind] ?? ""}${name}@"${spec}" from `;
      if (from === tree.root) return [`${needs}the root project`];
      const line = `${needs}${packageId(from.manifest) ?? from.name}`;
      if (path.includes(from) || depth > DEPTH_LIMIT) return [line];
      const where = `${start}${relativePath(tree.root.path, from.path)}`;
      return [
        line,
        where,
        ...needers(tree, edges, { one: from, path: [...path, from], depth: depth + 1 }),
      ];
    });
}
