import { KernelError } from "../../abi/kernel-error.ts";
import type { MemoryInode } from "./memory-inode.ts";

interface NameIn {
  readonly directory: MemoryInode;
  readonly name: string;
}

interface RenamePlan {
  readonly moved: MemoryInode;
  readonly replaced: MemoryInode | undefined;
}

/**
 * What rename(2) will move and replace; undefined when both names are the same file's. Fails in
 * the order in which Linux checks (do_renameat2 and vfs_rename in fs/namei.c).
 */
export function planRename(from: NameIn, to: NameIn): RenamePlan | undefined {
  const moved = from.directory.entries.find(from.name);
  if (moved === undefined) throw new KernelError("ENOENT");
  const replaced = to.directory.entries.find(to.name);
  if (isWithin(to.directory, moved)) throw new KernelError("EINVAL");
  if (replaced !== undefined && isWithin(from.directory, replaced)) {
    throw new KernelError("ENOTEMPTY");
  }
  if (replaced === moved) return undefined;
  if (replaced !== undefined) checkReplacing(moved, replaced);
  return { moved, replaced };
}

function checkReplacing(moved: MemoryInode, replaced: MemoryInode): void {
  if (!moved.isDirectory && replaced.isDirectory) throw new KernelError("EISDIR");
  if (moved.isDirectory && !replaced.isDirectory) throw new KernelError("ENOTDIR");
  if (!replaced.isEmpty) throw new KernelError("ENOTEMPTY");
}

/** Whether `directory` is `ancestor` or lies anywhere below it. */
function isWithin(directory: MemoryInode, ancestor: MemoryInode): boolean {
  if (!ancestor.isDirectory) return false;
  for (let at: MemoryInode | undefined = directory; at !== undefined; at = at.parent) {
    if (at === ancestor) return true;
  }
  return false;
}
