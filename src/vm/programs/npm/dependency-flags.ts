/** Which packages are only there for development, or may be missing: the lock file says so of each. */
import type { PackageTree, TreeEdge, TreePackage } from "./package-tree.ts";

export interface DependencyFlags {
  readonly dev?: true;
  readonly optional?: true;
  readonly devOptional?: true;
  readonly peer?: true;
}

/** By paths. */
export function dependencyFlags(tree: PackageTree): Map<string, DependencyFlags> {
  const withoutDev = reach(tree.root, ({ kind, from }) => !(kind === "dev" && from === tree.root));
  const withoutOptional = reach(
    tree.root,
    ({ kind }) => kind !== "optional" && kind !== "peerOptional",
  );
  const withoutBoth = reach(
    tree.root,
    ({ kind }) => kind !== "optional" && kind !== "peerOptional" && kind !== "dev",
  );
  const withoutPeer = reach(tree.root, ({ kind }) => kind !== "peer" && kind !== "peerOptional");
  const flags = new Map<string, DependencyFlags>();
  for (const one of tree.packages.values()) {
    const isDev = !withoutDev.has(one);
    const isOptional = !withoutOptional.has(one);
    const isEither = !isDev && !isOptional && !withoutBoth.has(one);
    flags.set(one.path, {
      ...(isDev ? { dev: true } : {}),
      ...(isOptional ? { optional: true } : {}),
      ...(isEither ? { devOptional: true } : {}),
      ...(withoutPeer.has(one) ? {} : { peer: true }),
    });
  }
  return flags;
}

function reach(root: TreePackage, isFollowed: (edge: TreeEdge) => boolean): Set<TreePackage> {
  const seen = new Set<TreePackage>([root]);
  for (const one of seen)
    for (const edge of one.edges) if (edge.to !== undefined && isFollowed(edge)) seen.add(edge.to);
  return seen;
}
