import type { FileSystem, Inode, Stat } from "../../../kernel/index.ts";
import { SandboxError } from "../../provider.ts";
import { ENTRIES_LIMIT, type Tree, type TreeEntry } from "./tree.ts";

/** Names of one page of a listing. */
const PAGE = 1000;

/** All that a file system holds and that can be carried. What goes away meanwhile is left out. */
export async function listTree(files: FileSystem): Promise<Tree> {
  const tree: Tree = new Map();
  const directories: { readonly inode: Inode; readonly path: string }[] = [
    { inode: files.root, path: "" },
  ];
  for (let next = directories.pop(); next !== undefined; next = directories.pop()) {
    for (const name of await namesIn(files, next.inode)) {
      const inode = await files.lookup(next.inode, name);
      const entry = inode === undefined ? undefined : entryOf(await files.stat(inode));
      if (inode === undefined || entry === undefined) continue;
      const path = next.path === "" ? name : `${next.path}/${name}`;
      tree.set(path, entry);
      if (tree.size > ENTRIES_LIMIT) throw tooMany();
      if (entry.kind === "directory") directories.push({ inode, path });
    }
  }
  return tree;
}

/** Undefined for what is not carried: sockets, devices. */
export function entryOf({ kind, ...stat }: Stat): TreeEntry | undefined {
  if (kind !== "file" && kind !== "directory" && kind !== "symlink") return undefined;
  const { mode, size, mtimeMs, ino, nlink, ctimeMs } = stat;
  return { kind, mode, size, mtimeMs, ino, nlink, ctimeMs };
}

export function tooMany(): SandboxError {
  return new SandboxError("limit", `there are more than ${ENTRIES_LIMIT} files`);
}

async function namesIn(files: FileSystem, directory: Inode): Promise<string[]> {
  const names: string[] = [];
  let cursor: number | undefined = 0;
  while (cursor !== undefined) {
    const page = await files.list(directory, cursor, PAGE);
    names.push(...page.entries.map(({ name }) => name));
    if (names.length > ENTRIES_LIMIT) throw tooMany();
    cursor = page.cursor;
  }
  return names;
}
