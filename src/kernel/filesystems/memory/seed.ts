import { KernelError } from "../../abi/kernel-error.ts";
import type { NewFile } from "../../vfs/file-system.ts";
import { FileContent } from "./file-content.ts";
import type { MemoryInode } from "./memory-inode.ts";

/**
 * One file of an image. Paths are absolute, without links, `.` or `..`; directories that nobody
 * names are made, mode 755, owned by root.
 */
export type SeedEntry =
  | (SeedAttributes & { readonly kind: "directory" | "fifo" })
  /** The bytes are shared, not copied: nobody may change them afterwards. */
  | (SeedAttributes & { readonly kind: "file"; readonly content: Uint8Array })
  | (SeedAttributes & { readonly kind: "symlink"; readonly target: string })
  | (SeedAttributes & { readonly kind: "device"; readonly rdev: number })
  /** A further name of a file that stands before it. */
  | { readonly kind: "link"; readonly path: string; readonly to: string };

interface SeedAttributes {
  readonly path: string;
  /** 755 for directories, 777 for symlinks, 644 for the rest. */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly mtimeMs?: number;
}

/** Puts the files of an image under `root`; `make` numbers a new file. They are not charged. */
export function seedTree(
  root: MemoryInode,
  entries: Iterable<SeedEntry>,
  make: (file: NewFile) => MemoryInode,
): void {
  for (const entry of entries) {
    const names = entry.path.split("/").filter((name) => name !== "");
    const last = names.pop();
    const directory = names.reduce((above, name) => directoryIn(above, name, make), root);
    const existing = last === undefined ? root : directory.entries.find(last);
    if (existing !== undefined) {
      changeDirectory(existing, entry);
      continue;
    }
    const inode = entry.kind === "link" ? find(root, entry.to) : make(fileOf(entry));
    directory.enter(last ?? "", inode);
    inode.freeNames += 1;
    if (entry.kind === "link") continue;
    if (entry.kind === "file") inode.content = new FileContent(entry.content);
    inode.mtimeMs = entry.mtimeMs ?? inode.mtimeMs;
  }
}

function fileOf(entry: Exclude<SeedEntry, { kind: "link" }>): NewFile {
  const { kind, uid = 0, gid = 0 } = entry;
  const mode = entry.mode ?? usualModes[kind];
  if (entry.kind === "symlink") return { kind, mode, uid, gid, target: entry.target };
  if (entry.kind === "device") return { kind, mode, uid, gid, rdev: entry.rdev };
  return { kind, mode, uid, gid };
}

const usualModes = {
  directory: 0o755,
  symlink: 0o777,
  file: 0o644,
  device: 0o644,
  fifo: 0o644,
} as const;

function directoryIn(
  above: MemoryInode,
  name: string,
  make: (file: NewFile) => MemoryInode,
): MemoryInode {
  const existing = above.entries.find(name);
  if (existing?.isDirectory) return existing;
  if (existing !== undefined) throw new KernelError("ENOTDIR", name);
  const directory = make({ kind: "directory", mode: usualModes.directory, uid: 0, gid: 0 });
  above.enter(name, directory);
  directory.freeNames = 1;
  return directory;
}

/** A directory may be named again: the attributes given then hold. */
function changeDirectory(existing: MemoryInode, entry: SeedEntry): void {
  if (entry.kind !== "directory" || !existing.isDirectory) {
    throw new KernelError("EEXIST", entry.path);
  }
  existing.mode = entry.mode ?? existing.mode;
  existing.uid = entry.uid ?? existing.uid;
  existing.gid = entry.gid ?? existing.gid;
  existing.mtimeMs = entry.mtimeMs ?? existing.mtimeMs;
}

function find(root: MemoryInode, path: string): MemoryInode {
  const names = path.split("/").filter((name) => name !== "");
  let inode: MemoryInode | undefined = root;
  for (const name of names) inode = inode?.entries.find(name);
  if (inode === undefined) throw new KernelError("ENOENT", path);
  if (inode.isDirectory) throw new KernelError("EPERM", path);
  return inode;
}
