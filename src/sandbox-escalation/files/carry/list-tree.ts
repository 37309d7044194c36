import { type FileSystem, type Inode, isKernelError, type Stat } from "../../../kernel/index.ts";
import { SandboxError } from "../../provider.ts";
import { ENTRIES_LIMIT, type Tree, type TreeEntry } from "./tree.ts";

/** Names of one page of a listing. */
const PAGE = 1000;
const AT_ONCE = 64;
/** All paths together, on average some hundred characters each: those of deep trees are long. */
const PATHS_LIMIT = ENTRIES_LIMIT * 200;

/** All that a file system holds and that can be carried. What goes away meanwhile is left out. */
export async function listTree(files: FileSystem): Promise<Tree> {
  const tree: Tree = new Map();
  let length = 0;
  const directories: { readonly inode: Inode; readonly path: string }[] = [
    { inode: files.root, path: "" },
  ];
  for (let next = directories.pop(); next !== undefined; next = directories.pop()) {
    for (const { name, inode, entry } of await lookAtAll(files, next.inode)) {
      const path = next.path === "" ? name : `${next.path}/${name}`;
      tree.set(path, entry);
      length += path.length;
      if (tree.size > ENTRIES_LIMIT) throw tooMany();
      if (length > PATHS_LIMIT) throw tooDeep();
      if (entry.kind === "directory") directories.push({ inode, path });
    }
  }
  return tree;
}

interface Looked {
  readonly name: string;
  readonly inode: Inode;
  readonly entry: TreeEntry;
}

/** Some at a time: whoever answers has more to do than one. */
async function lookAtAll(files: FileSystem, directory: Inode): Promise<readonly Looked[]> {
  const names = await namesIn(files, directory);
  const looked: Looked[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE).map((name) => lookAt(files, directory, name));
    looked.push(...(await Promise.all(some)).flatMap((one) => one ?? []));
  }
  return looked;
}

async function lookAt(
  files: FileSystem,
  directory: Inode,
  name: string,
): Promise<Looked | undefined> {
  try {
    const inode = await files.lookup(directory, name);
    const entry = inode === undefined ? undefined : entryOf(await files.stat(inode));
    return inode === undefined || entry === undefined ? undefined : { name, inode, entry };
  } catch (error) {
    if (isKernelError(error, "ESTALE") || isKernelError(error, "ENOENT")) return undefined;
    throw error;
  }
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

function tooDeep(): SandboxError {
  return new SandboxError("limit", "its directories are too many levels deep");
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
