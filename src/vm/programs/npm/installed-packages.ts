/** Packages as they lie in node_modules folders, each read once. */
import { isKernelError, type Sys } from "../../../kernel/index.ts";
import { resolvePath } from "../resolve-path.ts";
import { findStat } from "../run-command.ts";
import { NpmFailure } from "./failure.ts";
import { listNames } from "./files.ts";
import type { JsonObject } from "./json.ts";
import { findManifest } from "./manifest.ts";
import { below, lastPart, withAncestors } from "./paths.ts";

/** Packages read in one run. */
const PACKAGE_LIMIT = 50_000;

export interface InstalledPackage {
  /** As it is in node_modules. */
  readonly path: string;
  /** Where its files are, links followed. */
  readonly realPath: string;
  readonly isLink: boolean;
  readonly manifest: JsonObject;
}

export class InstalledPackages {
  readonly #sys: Sys;
  readonly #found = new Map<string, InstalledPackage | undefined>();

  constructor(sys: Sys) {
    this.#sys = sys;
  }

  /** Undefined where no package is; one whose package.json is broken has an empty one. */
  async find(path: string): Promise<InstalledPackage | undefined> {
    if (this.#found.has(path)) return this.#found.get(path);
    if (this.#found.size >= PACKAGE_LIMIT)
      throw new NpmFailure(`There are more than ${PACKAGE_LIMIT} packages.`);
    const found = await this.#read(path);
    this.#found.set(path, found);
    return found;
  }

  /** Forgets what is at a path, because it changes. */
  forget(path: string): void {
    this.#found.delete(path);
  }

  async #read(path: string): Promise<InstalledPackage | undefined> {
    const stat = await findStat(this.#sys, path, true);
    if (stat === undefined) return undefined;
    const isLink = stat.kind === "symlink";
    if (!isLink && stat.kind !== "directory") return undefined;
    try {
      const realPath = isLink ? await resolvePath(this.#sys, path, "all") : path;
      const manifest = await findManifest(this.#sys, realPath);
      if (manifest === undefined) return undefined;
      return { path, realPath, isLink, manifest: manifest.content };
    } catch (error) {
      if (error instanceof NpmFailure) return { path, realPath: path, isLink, manifest: {} };
      if (isKernelError(error)) return undefined;
      throw error;
    }
  }

  /** What Node finds for a name, seen from a folder whose links are followed. */
  async resolve(folder: string, name: string): Promise<InstalledPackage | undefined> {
    for (const one of withAncestors(folder)) {
      if (lastPart(one) === "node_modules") continue;
      const found = await this.find(below(one, `node_modules/${name}`));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The names in a folder's node_modules, scopes looked into. */
  async names(folder: string): Promise<string[]> {
    return packageNames(this.#sys, below(folder, "node_modules"));
  }
}

/** The packages' names in a node_modules folder, scopes looked into. */
export async function packageNames(sys: Sys, modules: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await listNames(sys, modules)) {
    if (name.startsWith(".")) continue;
    if (!name.startsWith("@")) names.push(name);
    else
      for (const inner of await listNames(sys, below(modules, name)))
        names.push(`${name}/${inner}`);
  }
  return names;
}
