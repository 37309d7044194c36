/** The lines of `npm ls` before they are drawn: packages by who needs them, each in full once. */
import type { InstalledPackage, InstalledPackages } from "./installed-packages.ts";
import { compareInEnglish } from "./json.ts";
import { packageId, packageName } from "./manifest.ts";
import { isWanted, type parseWord } from "./package-spec.ts";
import type { PackageTree, TreeEdge, TreePackage } from "./package-tree.ts";
import { below } from "./paths.ts";

export interface Listed {
  readonly name: string;
  /** Undefined for what is missing. */
  readonly package: InstalledPackage | undefined;
  readonly edge: TreeEdge | undefined;
  readonly isRoot: boolean;
  readonly isExtraneous: boolean;
  /** Shown in full elsewhere. */
  readonly isDeduped: boolean;
  readonly isMatch: boolean;
  readonly problem: string | undefined;
  children: Listed[];
}

export interface ListingFacts {
  readonly tree: PackageTree;
  readonly packages: InstalledPackages;
  readonly extraneous: readonly string[];
  readonly depth: number;
  readonly wanted: readonly ReturnType<typeof parseWord>[];
  readonly omitted: ReadonlySet<string>;
  /** Their folders, where only some workspaces are asked for. */
  readonly workspaces: readonly string[] | undefined;
  readonly isLinksOnly: boolean;
}

interface Step {
  readonly line: Listed;
  readonly package: TreePackage;
}

function nextStep(line: Listed): Step[] {
  const to = line.edge?.to;
  return to === undefined || line.isDeduped ? [] : [{ line, package: to }];
}

/** Lines shown. */
const LINE_LIMIT = 100_000;

export class PackageListing {
  readonly #facts: ListingFacts;
  readonly #seen = new Set<string>();
  readonly problems: string[] = [];

  constructor(facts: ListingFacts) {
    this.#facts = facts;
  }

  /** Breadth first: who needs a package nearest to the top shows it in full. */
  async build(): Promise<Listed> {
    const { tree, depth } = this.#facts;
    const root = this.#root();
    let level: Step[] = [{ line: root, package: tree.root }];
    let lines = 0;
    for (let at = 0; level.length > 0 && lines < LINE_LIMIT; at++) {
      const shown = level.filter(({ package: one }) => at <= depth || one.isWorkspace);
      for (const { line, package: one } of shown) {
        line.children = await this.#children(one, one === tree.root);
        lines += line.children.length;
      }
      level = shown.flatMap(({ line }) => line.children.flatMap(nextStep));
    }
    if (this.#facts.wanted.length > 0) keepMatches(root);
    this.#collectProblems(root);
    return root;
  }

  #root(): Listed {
    const { root } = this.#facts.tree;
    this.#seen.add(root.path);
    return {
      name: root.name,
      package: root,
      edge: undefined,
      isRoot: true,
      isExtraneous: false,
      isDeduped: false,
      isMatch: false,
      problem: undefined,
      children: [],
    };
  }

  async #children(one: TreePackage, isRoot: boolean): Promise<Listed[]> {
    const { extraneous, packages, isLinksOnly } = this.#facts;
    const edges = one.edges.filter((edge) => this.#isShown(edge, isRoot));
    const children = edges.map((edge) => this.#line(edge));
    for (const path of extraneous) {
      const found = await packages.find(path);
      const name = path.slice(path.lastIndexOf("/node_modules/") + "/node_modules/".length);
      if (found !== undefined && path === below(one.realPath, `node_modules/${name}`))
        children.push(this.#extraneous(found, name));
    }
    return children
      .filter((child) => !isLinksOnly || !isRoot || child.package?.isLink === true)
      .toSorted((a, b) => compareInEnglish(a.name, b.name));
  }

  #isShown({ kind, to }: TreeEdge, isRoot: boolean): boolean {
    const { workspaces, omitted } = this.#facts;
    if (!isRoot) return kind !== "peerOptional" || to !== undefined;
    if (workspaces !== undefined)
      return kind === "workspace" && to !== undefined && workspaces.includes(to.realPath);
    return !omitted.has(kind);
  }

  #line(edge: TreeEdge): Listed {
    const { name, to } = edge;
    const isSeen = to !== undefined && this.#seen.has(to.path);
    if (to !== undefined) this.#seen.add(to.path);
    return {
      name,
      package: to,
      edge,
      isRoot: false,
      isExtraneous: false,
      isDeduped: isSeen,
      isMatch: this.#matches(to, name),
      problem: problemOf(edge),
      children: [],
    };
  }

  #extraneous(found: InstalledPackage, name: string): Listed {
    const id = packageId(found.manifest) ?? `${name}@`;
    return {
      name,
      package: found,
      edge: undefined,
      isRoot: false,
      isExtraneous: true,
      isDeduped: false,
      isMatch: this.#matches(found, name),
      problem: `extraneous: ${id} ${found.path}`,
      children: [],
    };
  }

  #matches(one: InstalledPackage | undefined, name: string): boolean {
    return this.#facts.wanted.some(({ name: asked, spec, hasVersion }) => {
      if (one === undefined) return false;
      if (asked === undefined) return spec.kind === "folder" && spec.path === one.realPath;
      if (asked !== name && asked !== packageName(one.manifest)) return false;
      return (
        !hasVersion ||
        (spec.kind === "registry" && isWanted(one.manifest, { ...spec, target: asked }))
      );
    });
  }

  #collectProblems(root: Listed): void {
    const found = new Set<string>();
    const queue = [root];
    for (const one of queue) {
      if (one.problem !== undefined && (this.#facts.wanted.length === 0 || one.isMatch))
        found.add(one.problem);
      queue.push(...one.children);
    }
    this.problems.push(...found);
  }
}

function problemOf({ name, spec, kind, from, to, isValid }: TreeEdge): string | undefined {
  const isOptional = kind === "optional" || kind === "peerOptional";
  const by = packageId(from.manifest) ?? `${from.name}@`;
  if (to === undefined)
    return isOptional ? undefined : `missing: ${name}@${spec}, required by ${by}`;
  return isValid ? undefined : `invalid: ${packageId(to.manifest) ?? `${name}@`} ${to.path}`;
}

/** Only lines that match, and those above them. */
function keepMatches(line: Listed): boolean {
  line.children = line.children.filter(keepMatches);
  return line.isMatch || line.children.length > 0;
}
