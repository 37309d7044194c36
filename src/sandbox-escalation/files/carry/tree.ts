/** What is in a workspace, by path, and how two such lists differ. */

export interface TreeEntry {
  readonly kind: "file" | "directory" | "symlink";
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly nlink: number;
  /** Moves with every change of a file. */
  readonly ctimeMs: number;
}

/** By path from the workspace, without `./`; directories before what is in them. */
export type Tree = Map<string, TreeEntry>;

/** What one workspace may hold to be carried; more is an error, said in words. */
export const ENTRIES_LIMIT = 200_000;

export interface TreeChanges {
  /** New or different, directories first. */
  readonly changed: readonly string[];
  /** Gone, or of another kind by now; the deepest first. */
  readonly removed: readonly string[];
}

export function compareTrees(
  before: ReadonlyMap<string, TreeEntry>,
  now: ReadonlyMap<string, TreeEntry>,
): TreeChanges {
  const changed = [...now].flatMap(([path, entry]) =>
    isSame(before.get(path), entry) ? [] : [path],
  );
  const removed = [...before].flatMap(([path, entry]) =>
    now.get(path)?.kind === entry.kind ? [] : [path],
  );
  return { changed, removed: removed.reverse() };
}

/** A directory's own numbers move with what is in it; that is compared by itself. */
function isSame(one: TreeEntry | undefined, other: TreeEntry): boolean {
  if (one === undefined || one.kind !== other.kind) return false;
  if (one.mode !== other.mode || one.mtimeMs !== other.mtimeMs) return false;
  if (one.kind === "directory") return true;
  return one.size === other.size && one.ino === other.ino && one.ctimeMs === other.ctimeMs;
}

/** Of `a/b/c`: `a` and `a/b`. */
export function ancestorsOf(path: string): readonly string[] {
  const names = path.split("/");
  return names.slice(1).map((_, i) => names.slice(0, i + 1).join("/"));
}
