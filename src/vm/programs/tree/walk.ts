import { isKernelError, type Stat } from "../../../kernel/index.ts";
import { compareVersions } from "../compare-versions.ts";
import { compareNames, joinPath, readDirectory } from "../directory.ts";
import type { Run } from "../program.ts";
import { findStat } from "../run-command.ts";
import type { SafeRegExp } from "../safe-regexp.ts";
import { globRegExp } from "./patterns.ts";

/** One file of the tree. */
export interface TreeNode {
  readonly name: string;
  readonly path: string;
  readonly stat: Stat;
  /** Of symbolic links: where they lead, and what is there. */
  readonly target: string | undefined;
  readonly targetStat: Stat | undefined;
  /** Of directories that were opened. */
  readonly children: readonly TreeNode[] | undefined;
  /** Why it was not. */
  readonly problem: string | undefined;
  /** With `--du` all below it, too. */
  readonly size: number;
}

interface Content {
  readonly children?: readonly TreeNode[];
  readonly problem?: string;
}

/** Directories within directories: what the stack bears. */
const DEPTH_LIMIT = 4096;

/** Reads a directory and all below it, as the options say. */
export class TreeReader {
  readonly #run: Run;
  readonly #depth: number;
  readonly #show: readonly SafeRegExp[];
  readonly #hide: readonly SafeRegExp[];
  readonly #fileLimit: number;
  /** Directories that were opened: a link to one is not followed. */
  readonly #visited = new Set<string>();
  /** A directory was not opened. */
  hasFailed = false;

  constructor(run: Run, depth: number) {
    this.#run = run;
    this.#depth = Math.min(depth, DEPTH_LIMIT);
    const isFolded = run.has("ignore-case");
    this.#show = run.options.all("P").map((pattern) => globRegExp(pattern, isFolded));
    this.#hide = run.options.all("I").map((pattern) => globRegExp(pattern, isFolded));
    this.#fileLimit = Number(run.options.get("filelimit") ?? Number.POSITIVE_INFINITY);
  }

  /** Undefined where there is no such file. */
  async read(name: string, path = name, depth = 0): Promise<TreeNode | undefined> {
    const { sys } = this.#run;
    const stat = await findStat(sys, path, true);
    if (stat === undefined) return undefined;
    const target = stat.kind === "symlink" ? await sys.readlink(path) : undefined;
    const targetStat = target === undefined ? undefined : await findStat(sys, path);
    const isFollowed = targetStat?.kind === "directory" && (depth === 0 || this.#run.has("l"));
    const isOpened = (stat.kind === "directory" || isFollowed) && depth < this.#depth;
    const isNoRoot = depth === 0 && stat.kind !== "directory" && !isFollowed;
    const id = `${(targetStat ?? stat).dev}:${(targetStat ?? stat).ino}`;
    const isAgain = isFollowed && this.#visited.has(id);
    if (isOpened) this.#visited.add(id);
    const content: Content =
      isAgain || isNoRoot
        ? { problem: isAgain ? "recursive, not followed" : "error opening dir" }
        : isOpened
          ? await this.#content(path, depth)
          : {};
    const { children, problem } = content;
    const below = children?.reduce((sum, child) => sum + child.size, 0) ?? 0;
    const size = this.#run.has("du") ? stat.size + below : stat.size;
    return { name, path, stat, target, targetStat, children, problem, size };
  }

  async #content(path: string, depth: number): Promise<Content> {
    let names: string[];
    try {
      names = (await readDirectory(this.#run.sys, path)).map((entry) => entry.name);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      this.hasFailed = true;
      return { problem: "error opening dir" };
    }
    const found: TreeNode[] = [];
    const shown = names.filter((name) => this.#isShown(name));
    if (shown.length > this.#fileLimit) {
      this.hasFailed = true;
      return { problem: `${shown.length} entries exceeds filelimit, not opening dir` };
    }
    for (const name of shown) {
      const child = await this.read(name, joinPath(path, name), depth + 1);
      if (child !== undefined && this.#isKept(child)) found.push(child);
    }
    return { children: this.#sort(found) };
  }

  #isShown(name: string): boolean {
    if (name.startsWith(".") && !this.#run.has("a")) return false;
    return !this.#hide.some((pattern) => pattern.test(name));
  }

  #isKept({ name, stat, children, targetStat }: TreeNode): boolean {
    const isDirectory = stat.kind === "directory" || targetStat?.kind === "directory";
    if (this.#run.has("d") && !isDirectory) return false;
    if (isDirectory && stat.kind === "directory")
      return !this.#run.has("prune") || (children?.length ?? 0) > 0;
    return this.#show.length === 0 || this.#show.some((pattern) => pattern.test(name));
  }

  #sort(nodes: TreeNode[]): TreeNode[] {
    const by =
      this.#run.options.get("sort") ?? this.#run.options.last("t", "c", "v", "U") ?? "name";
    const compare = orders.get(by);
    const sorted = compare === undefined ? nodes : nodes.toSorted(compare);
    if (this.#run.has("r") && compare !== undefined) sorted.reverse();
    const rank = (node: TreeNode): number => (node.stat.kind === "directory" ? 0 : 1);
    if (this.#run.has("dirsfirst")) return sorted.toSorted((a, b) => rank(a) - rank(b));
    if (this.#run.has("filesfirst")) return sorted.toSorted((a, b) => rank(b) - rank(a));
    return sorted;
  }
}

type Order = (a: TreeNode, b: TreeNode) => number;
const byName: Order = (a, b) => compareNames(a.name, b.name);
const byTime: Order = (a, b) => a.stat.mtimeMs - b.stat.mtimeMs || byName(a, b);
const byChange: Order = (a, b) => a.stat.ctimeMs - b.stat.ctimeMs || byName(a, b);
const byVersion: Order = (a, b) => compareVersions(a.name, b.name);
const orders = new Map<string, Order>([
  ["name", byName],
  ["t", byTime],
  ["mtime", byTime],
  ["c", byChange],
  ["ctime", byChange],
  ["v", byVersion],
  ["version", byVersion],
  ["size", (a, b) => b.size - a.size || byName(a, b)],
]);
