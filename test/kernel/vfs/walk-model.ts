import type { TreeEntry } from "./random-tree.ts";

type Node =
  | {
      readonly kind: "directory";
      readonly entries: Map<string, Node>;
      readonly parent: Node | undefined;
      readonly path: string;
    }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "symlink"; readonly path: string; readonly target: string };

/** What a path leads to, or the errno. */
export type Found = { readonly path: string; readonly kind: string } | { readonly errno: string };

const LINKS_MAX = 40;

/**
 * path_resolution(7) as plainly as can be: a recursive walk over a tree of maps. It knows no
 * permissions, no mounts and no names that do not exist yet.
 */
export class TreeModel {
  readonly #root: Node = { kind: "directory", entries: new Map(), parent: undefined, path: "" };

  add({ kind, path, target }: TreeEntry): boolean {
    const slash = path.lastIndexOf("/");
    const parent = this.#walk(this.#root, slash < 0 ? "." : path.slice(0, slash), true, {
      links: 0,
    });
    const name = path.slice(slash + 1);
    if (typeof parent === "string" || parent.kind !== "directory" || parent.entries.has(name))
      return false;
    const at = `${parent.path}/${name}`;
    if (kind === "directory")
      parent.entries.set(name, { kind, entries: new Map(), parent, path: at });
    else if (kind === "file") parent.entries.set(name, { kind, path: at });
    else parent.entries.set(name, { kind, path: at, target });
    return true;
  }

  find(path: string, followsLast: boolean): Found {
    const found = path === "" ? "ENOENT" : this.#walk(this.#root, path, followsLast, { links: 0 });
    if (typeof found === "string") return { errno: found };
    return { path: found.path === "" ? "/" : found.path, kind: found.kind };
  }

  #walk(from: Node, path: string, followsLast: boolean, count: { links: number }): Node | string {
    const names = path.split("/").filter((name) => name !== "");
    const isDirectoryWanted = path.endsWith("/");
    let here = path.startsWith("/") ? this.#root : from;
    for (const [at, name] of names.entries()) {
      if (here.kind !== "directory") return "ENOTDIR";
      const isLast = at === names.length - 1;
      const next = this.#step(here, name);
      if (next === undefined) return "ENOENT";
      const isFollowed = next.kind === "symlink" && (!isLast || followsLast || isDirectoryWanted);
      const arrived = isFollowed ? this.#follow(here, next, count) : next;
      if (typeof arrived === "string") return arrived;
      here = arrived;
    }
    return isDirectoryWanted && here.kind !== "directory" ? "ENOTDIR" : here;
  }

  #step(here: Extract<Node, { kind: "directory" }>, name: string): Node | undefined {
    if (name === ".") return here;
    if (name === "..") return here.parent ?? here;
    return here.entries.get(name);
  }

  #follow(
    here: Node,
    link: Extract<Node, { kind: "symlink" }>,
    count: { links: number },
  ): Node | string {
    count.links += 1;
    if (count.links > LINKS_MAX) return "ELOOP";
    return this.#walk(here, link.target, true, count);
  }
}
