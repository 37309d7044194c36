/** Listing directories, the working directory, mounts. */
import { KernelError } from "../abi/kernel-error.ts";
import { X_OK } from "../abi/open-flags.ts";
import type { DirectoryEntry } from "../abi/stat.ts";
import { holding } from "../fd/holding.ts";
import { MemoryFileSystem } from "../filesystems/memory-file-system.ts";
import { requireCoverable } from "../permissions/check-move.ts";
import { checkFile, type PathArg } from "../permissions/check-path.ts";
import { requireAccess } from "../permissions/credentials.ts";
import type { Process } from "../process/process.ts";
import type { Place } from "../vfs/place.ts";

export type MountWish = { readonly target: PathArg; readonly isReadOnly?: boolean } & (
  | { readonly type: "memory" }
  | { readonly type: "bind"; readonly source: PathArg }
);

/** The next entries, without `.` and `..`; none at the end. */
export async function readdir(
  process: Process,
  fd: number,
  limit?: number,
): Promise<DirectoryEntry[]> {
  const file = process.fds.get(fd);
  const { maxReaddirEntries } = process.kernel.limits.values;
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1))
    throw new KernelError("EINVAL");
  const count = Math.min(limit ?? maxReaddirEntries, maxReaddirEntries);
  return holding(file, () => file.readdir(count));
}

/** Changes the working directory. */
export async function chdir(process: Process, path: PathArg): Promise<void> {
  const at = await checkFile({ process, call: "chdir", path, operation: "stat" });
  await enter(process, at.existing);
}

/** Changes it to an open directory. */
export async function fchdir(process: Process, fd: number): Promise<void> {
  const { place } = process.fds.get(fd);
  if (place === undefined) throw new KernelError("ENOTDIR", String(fd));
  await enter(process, place);
}

/** ENOENT when the directory has been removed. */
export async function getcwd(process: Process): Promise<string> {
  const { nlink } = await process.kernel.vfs.statOf(process.cwd);
  if (nlink === 0) throw new KernelError("ENOENT");
  return process.cwd.path;
}

/** Sets the mask, if one is given; answers the one before. */
export async function umask(process: Process, mask?: number): Promise<number> {
  const before = process.umask;
  if (mask !== undefined) process.umask = mask & 0o777;
  return before;
}

/**
 * Root only. A bind mount shows a directory at a second place, where the rules for both hold. EACCES
 * where a rule could protect what would be covered.
 */
export async function mount(process: Process, wish: MountWish): Promise<void> {
  if (process.credentials.euid !== 0) throw new KernelError("EPERM");
  if (wish.type !== "memory" && wish.type !== "bind") throw new KernelError("ENODEV");
  const call = "mount";
  const { target, isReadOnly = false } = wish;
  const on = await checkFile({ process, call, path: target, operation: "mount_sensitive" });
  requireCoverable(process, call, on);
  const { vfs, limits, host } = process.kernel;
  if (wish.type === "memory") {
    const fileSystem = new MemoryFileSystem({ now: () => host.now(), limits });
    vfs.mounts.add(on.existing, { fileSystem, isReadOnly });
    return;
  }
  const source = await checkFile({
    process,
    call,
    path: wish.source,
    operation: "mount_sensitive",
  });
  if (source.existing.inode.kind !== "directory") throw new KernelError("ENOTDIR", source.path);
  vfs.mounts.add(on.existing, {
    fileSystem: source.existing.mount.fileSystem,
    boundFrom: source.existing,
    isReadOnly: isReadOnly || source.existing.mount.isReadOnly,
  });
}

/** Root only. EBUSY while a process works in it or holds a file of it open. */
export async function umount(process: Process, path: PathArg): Promise<void> {
  if (process.credentials.euid !== 0) throw new KernelError("EPERM");
  const at = await checkFile({ process, call: "umount", path, operation: "mount_sensitive" });
  requireCoverable(process, "umount", at);
  process.kernel.vfs.mounts.coveredBy(at.existing);
  const isUsed = (place: Place | undefined): boolean => place?.mount === at.existing.mount;
  for (const other of process.kernel.processes.list()) {
    const holds = other.fds.numbers().some((fd) => isUsed(other.fds.find(fd)?.place));
    if (isUsed(other.cwd) || holds) throw new KernelError("EBUSY", at.path);
  }
  process.kernel.vfs.mounts.remove(at.existing);
}

async function enter(process: Process, place: Place): Promise<void> {
  if (place.inode.kind !== "directory") throw new KernelError("ENOTDIR", place.path);
  const stat = await process.kernel.vfs.statOf(place);
  requireAccess(process.credentials, stat, X_OK, place.path);
  process.cwd = place;
}
