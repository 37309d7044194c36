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

/** Of `a/b/c`: `a/b`; undefined of `a`. */
export function parentOf(path: string): string | undefined {
  const end = path.lastIndexOf("/");
  return end === -1 ? undefined : path.slice(0, end);
}

/**
 * The directories that any of these is in, each once, the outer ones first. One is met for each path and not for
 * each of its names: trees may be as deep as they are wide.
 */
export function ancestorsOf(paths: Iterable<string>): readonly string[] {
  const met = new Set<string>();
  const all: string[] = [];
  for (const path of paths) {
    const way: string[] = [];
    for (let at = parentOf(path); at !== undefined && !met.has(at); at = parentOf(at)) {
      met.add(at);
      way.push(at);
    }
    all.push(...way.reverse());
  }
  return all;
}
