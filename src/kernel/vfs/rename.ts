import {
  IN_ATTRIB,
  IN_DELETE_SELF,
  IN_MOVE_SELF,
  IN_MOVED_FROM,
  IN_MOVED_TO,
} from "../abi/inotify.ts";
import { KernelError } from "../abi/kernel-error.ts";
import type { CheckedPath } from "../permissions/check-path.ts";
import type { Process } from "../process/process.ts";
import { isWithin, type Place, relocate } from "./place.ts";
import type { Vfs } from "./vfs.ts";

/**
 * rename(2) over the drivers: EXDEV across mounts, EBUSY for mount points, `.` and `..`, EINVAL for
 * a directory into itself. Working directories below a moved directory move along.
 */
export async function renameFile(
  vfs: Vfs,
  from: CheckedPath<"rename">,
  to: CheckedPath<"rename">,
  process: Process,
): Promise<void> {
  if (from.endsInDots || to.endsInDots) throw new KernelError("EBUSY", from.path);
  const source = from.existing;
  if (source === undefined) throw new KernelError("ENOENT", from.path);
  const isDirectory = source.inode.kind === "directory";
  if (source.parent === undefined || vfs.mounts.isMountPoint(source))
    throw new KernelError("EBUSY", from.path);
  if (from.mustBeDirectory && !isDirectory) throw new KernelError("ENOTDIR", from.path);
  if (to.mustBeDirectory && !isDirectory) throw new KernelError("ENOTDIR", to.path);
  if (to.existing !== undefined && vfs.mounts.isMountPoint(to.existing))
    throw new KernelError("EBUSY", to.path);
  if (source.mount !== to.parent.mount) throw new KernelError("EXDEV", to.path);
  if (isDirectory && isWithin(to.parent, source)) throw new KernelError("EINVAL", to.path);
  await vfs.requireRemovable(source, process, from.path);
  await vfs.requireInsertable(to.parent, process, to.path);
  if (to.existing !== undefined) await vfs.requireRemovable(to.existing, process, to.path);
  // A directory that gets another parent changes itself: its `..`.
  const isMoved = source.parent.inode !== to.parent.inode;
  if (isDirectory && isMoved) await vfs.requireWritable(source, process, from.path);

  const { fileSystem } = source.mount;
  await fileSystem.rename(
    { directory: source.parent.inode, name: source.name },
    { directory: to.parent.inode, name: to.name },
    // What was checked is what is moved, not what was put there meanwhile.
    source.inode,
  );
  if (to.existing?.inode === source.inode) return;
  const moved: Place = { ...source, parent: to.parent, name: to.name, path: to.path };
  if (isDirectory) moveWorkingDirectories(process, source, moved);
  vfs.moved(source, moved);
  tellWatches(vfs, source, moved);
  if (to.existing !== undefined) await tellReplaced(vfs, to.existing);
}

// Deviation: what was reached through a bind mount keeps its old path when it is moved at the place
// that the mount shows; Linux has one name cache for both.
function moveWorkingDirectories(process: Process, from: Place, to: Place): void {
  for (const other of process.kernel.processes.list()) {
    other.cwd = relocate(other.cwd, from, to);
  }
}

async function tellReplaced(vfs: Vfs, replaced: Place): Promise<void> {
  const { nlink } = await vfs.statOf(replaced);
  const isGone = replaced.inode.kind === "directory" || nlink === 0;
  vfs.watches.notify(replaced.inode, isGone ? IN_DELETE_SELF : IN_ATTRIB);
}

function tellWatches(vfs: Vfs, from: Place, to: Place): void {
  const isDirectory = from.inode.kind === "directory";
  const cookie = vfs.watches.nextCookie();
  const { watches } = vfs;
  if (from.parent !== undefined) {
    watches.notify(from.parent.inode, IN_MOVED_FROM, { name: from.name, cookie, isDirectory });
  }
  if (to.parent !== undefined) {
    watches.notify(to.parent.inode, IN_MOVED_TO, { name: to.name, cookie, isDirectory });
  }
  watches.notify(from.inode, IN_MOVE_SELF, { isDirectory });
}
