/** The packages a project has and needs, as they lie on disk. */
import type { InstalledPackage, InstalledPackages } from "./installed-packages.ts";
import { findText, type JsonObject } from "./json.ts";
import type { Resolved } from "./lock-file.ts";
import { type Dependency, type DependencyKind, dependenciesOf, packageName } from "./manifest.ts";
import { isWanted, parseSpec } from "./package-spec.ts";
import { lastPart } from "./paths.ts";
import type { Workspace } from "./workspaces.ts";

export interface TreeEdge {
  readonly name: string;
  readonly spec: string;
  readonly kind: DependencyKind | "workspace";
  readonly from: TreePackage;
  readonly to: TreePackage | undefined;
  /** False where what is there is not what is wanted. */
  readonly isValid: boolean;
}

export interface TreePackage {
  /** The folder's name in node_modules. */
  readonly name: string;
  readonly path: string;
  readonly realPath: string;
  readonly isLink: boolean;
  readonly isWorkspace: boolean;
  readonly manifest: JsonObject;
  readonly edges: TreeEdge[];
}

export interface TreeRoot {
  readonly folder: string;
  readonly manifest: JsonObject;
  readonly workspaces: readonly Workspace[];
  /** Packages in a folder of their own, as `-g` has them: whatever is there is wanted. */
  readonly isGlobal?: boolean;
}

export interface PackageTree {
  readonly root: TreePackage;
  /** Every package that is needed, by its path. */
  readonly packages: ReadonlyMap<string, TreePackage>;
}

/** Reads it from the root on. What was resolved before tells tarballs apart. */
export async function readTree(
  packages: InstalledPackages,
  root: TreeRoot,
  resolved: ReadonlyMap<string, Resolved> = new Map(),
): Promise<PackageTree> {
  return new TreeReader(packages, root, resolved).read();
}

class TreeReader {
  readonly #packages: InstalledPackages;
  readonly #root: TreeRoot;
  readonly #resolved: ReadonlyMap<string, Resolved>;
  readonly #found = new Map<string, TreePackage>();
  readonly #queue: TreePackage[] = [];

  constructor(
    packages: InstalledPackages,
    root: TreeRoot,
    resolved: ReadonlyMap<string, Resolved>,
  ) {
    this.#packages = packages;
    this.#root = root;
    this.#resolved = resolved;
  }

  async read(): Promise<PackageTree> {
    const { folder, manifest } = this.#root;
    const root: TreePackage = {
      name: packageName(manifest) ?? lastPart(folder),
      path: folder,
      realPath: folder,
      isLink: false,
      isWorkspace: false,
      manifest,
      edges: [],
    };
    this.#queue.push(root);
    for (let one = this.#queue.shift(); one !== undefined; one = this.#queue.shift())
      await this.#addEdges(one, one === root);
    return { root, packages: this.#found };
  }

  async #addEdges(one: TreePackage, isRoot: boolean): Promise<void> {
    if (isRoot)
      for (const { name, path } of this.#root.workspaces) {
        const to = await this.#take(
          await this.#packages.find(`${one.path}/node_modules/${name}`),
          name,
        );
        const isValid = to?.realPath === path;
        one.edges.push({ name, spec: `file:${path}`, kind: "workspace", from: one, to, isValid });
      }
    const names = new Set(one.edges.map(({ name }) => name));
    for (const dependency of await this.#dependencies(one, isRoot))
      if (!names.has(dependency.name)) await this.#addEdge(one, dependency);
  }

  async #dependencies(one: TreePackage, isRoot: boolean): Promise<readonly Dependency[]> {
    if (isRoot && this.#root.isGlobal === true)
      return (await this.#packages.names(one.path)).map((name) => ({
        name,
        spec: "*",
        kind: "prod",
      }));
    return dependenciesOf(one.manifest, isRoot || one.isWorkspace);
  }

  async #addEdge(from: TreePackage, { name, spec, kind }: Dependency): Promise<void> {
    const found = await this.#packages.resolve(from.realPath, name);
    const to = await this.#take(found, name);
    const isValid =
      found !== undefined &&
      isSatisfied(found, { name, spec, folder: from.realPath }, this.#resolved);
    from.edges.push({ name, spec, kind, from, to, isValid });
  }

  async #take(found: InstalledPackage | undefined, name: string): Promise<TreePackage | undefined> {
    if (found === undefined) return undefined;
    const known = this.#found.get(found.path);
    if (known !== undefined) return known;
    const isWorkspace = this.#root.workspaces.some(({ path }) => path === found.realPath);
    const one: TreePackage = { ...found, name, isWorkspace, edges: [] };
    this.#found.set(found.path, one);
    this.#queue.push(one);
    return one;
  }
}

export interface Wanted {
  readonly name: string;
  readonly spec: string;
  /** Where a path in the spec is seen from. */
  readonly folder: string;
}

/** Whether what is installed is what a dependency asks for. */
export function isSatisfied(
  found: InstalledPackage,
  { name, spec, folder }: Wanted,
  resolved: ReadonlyMap<string, Resolved>,
): boolean {
  const wanted = parseSpec(name, spec, folder);
  switch (wanted.kind) {
    case "registry":
      return isWanted(found.manifest, wanted);
    case "folder":
      return found.realPath === wanted.path;
    case "tarball": {
      const from = resolved.get(found.path)?.resolved;
      if (found.isLink) return false;
      return from === undefined || from === wanted.path;
    }
    case "remote":
      return findText(found.manifest, "name") !== undefined;
  }
}
