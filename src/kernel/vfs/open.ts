import { IN_MODIFY, IN_OPEN } from "../abi/inotify.ts";
import { KernelError } from "../abi/kernel-error.ts";
import {
  O_ACCMODE,
  O_CREAT,
  O_DIRECTORY,
  O_EXCL,
  O_NOCTTY,
  O_NOFOLLOW,
  O_RDONLY,
  O_TRUNC,
  O_WRONLY,
  R_OK,
  STATUS_FLAGS,
  W_OK,
} from "../abi/open-flags.ts";
import { type Answer, whenAnswered } from "../answer.ts";
import type { OpenFile } from "../fd/open-file.ts";
import type { CheckedPath } from "../permissions/check-path.ts";
import { requireAccess } from "../permissions/credentials.ts";
import type { Process } from "../process/process.ts";
import { DirectoryFile } from "./directory-file.ts";
import type { Place } from "./place.ts";
import { RegularFile } from "./regular-file.ts";

export type OpenPath = CheckedPath<"read" | "write" | "readdir">;

/**
 * open(2) at a checked path. Makes the file with O_CREAT, cuts it with O_TRUNC, and opens what is
 * there by its kind: a FIFO may wait, a device asks its driver.
 */
export function openFile(
  at: OpenPath,
  flags: number,
  mode: number,
  process: Process,
): Answer<OpenFile> {
  if (at.openFile !== undefined) return reopen(at.openFile, flags, at.path);
  process.kernel.vfs.requireRoom();
  const place = at.existing;
  if (place === undefined) return openNew(at, flags, mode, process);
  if ((flags & O_CREAT) !== 0 && (flags & O_EXCL) !== 0) throw new KernelError("EEXIST", at.path);
  requireKind(place, flags, at.path);
  return whenAnswered(requireModes(place, flags, process), () => {
    const isCut = (flags & O_TRUNC) !== 0 && place.inode.kind === "file";
    return isCut ? openCut(place, flags, process) : openPlace(place, flags, process);
  });
}

async function openNew(
  at: OpenPath,
  flags: number,
  mode: number,
  process: Process,
): Promise<OpenFile> {
  if ((flags & O_CREAT) === 0) throw new KernelError("ENOENT", at.path);
  if (at.mustBeDirectory) throw new KernelError("EISDIR", at.path);
  const made = await process.kernel.vfs.create(writable(at), { kind: "file", mode }, process);
  return openPlace(made, flags, process);
}

async function openCut(place: Place, flags: number, process: Process): Promise<OpenFile> {
  await process.kernel.vfs.dropSetIds(place, process);
  await place.mount.fileSystem.truncate(place.inode, 0);
  process.kernel.vfs.notify(place, IN_MODIFY);
  return openPlace(place, flags, process);
}

function openPlace(place: Place, flags: number, process: Process): Answer<OpenFile> {
  return whenAnswered(openByKind(place, flags, process), (file) => {
    process.kernel.vfs.notify(place, IN_OPEN);
    if (file.isTerminal && (flags & O_NOCTTY) === 0) process.kernel.ptys.adopt(file, process);
    return file;
  });
}

function openByKind(place: Place, flags: number, process: Process): Answer<OpenFile> {
  const { kernel } = process;
  const kept = flags & STATUS_FLAGS;
  switch (place.inode.kind) {
    case "file":
      return new RegularFile(kernel.vfs, place, kept);
    case "directory":
      return new DirectoryFile(kernel.vfs, place, kept);
    case "fifo":
      return kernel.fifos.open(place, kept, process);
    case "device":
      return openDevice(place, kept, process);
    case "symlink":
      throw new KernelError("ELOOP", place.path);
    case "socket":
    case "anonymous":
      throw new KernelError("ENXIO", place.path);
  }
}

async function openDevice(place: Place, flags: number, process: Process): Promise<OpenFile> {
  const { rdev } = await process.kernel.vfs.statOf(place);
  const terminal = process.kernel.ptys.open(rdev, flags, process);
  return terminal ?? place.mount.fileSystem.openDevice(place.inode, flags);
}

/** What a link of /proc/self/fd leads to that has no place. */
async function reopen(file: OpenFile, flags: number, path: string): Promise<OpenFile> {
  if ((await file.stat()).kind === "socket") throw new KernelError("ENXIO", path);
  // Deviation: opening /proc/self/fd/N of a pipe or terminal shares its open file, as dup does.
  const access = flags & O_ACCMODE;
  if (access !== O_WRONLY && !file.isReadable) throw new KernelError("EACCES", path);
  if (access !== O_RDONLY && !file.isWritable) throw new KernelError("EACCES", path);
  return file;
}

function requireKind(place: Place, flags: number, path: string): void {
  const { kind } = place.inode;
  if (kind === "symlink") {
    if ((flags & O_DIRECTORY) !== 0) throw new KernelError("ENOTDIR", path);
    throw new KernelError((flags & O_NOFOLLOW) !== 0 ? "ELOOP" : "EEXIST", path);
  }
  if (kind !== "directory") {
    if ((flags & O_DIRECTORY) !== 0) throw new KernelError("ENOTDIR", path);
    return;
  }
  const isForWriting = (flags & O_ACCMODE) !== O_RDONLY || (flags & (O_CREAT | O_TRUNC)) !== 0;
  if (isForWriting) throw new KernelError("EISDIR", path);
}

function requireModes(place: Place, flags: number, process: Process): Answer<void> {
  const wanted = wantedAccess(flags);
  const isStored = place.inode.kind === "file" || place.inode.kind === "directory";
  if ((wanted & W_OK) !== 0 && isStored && place.mount.isReadOnly) {
    throw new KernelError("EROFS", place.path);
  }
  return whenAnswered(place.mount.fileSystem.stat(place.inode), (stat) =>
    requireAccess(process.credentials, stat, wanted, place.path),
  );
}

function wantedAccess(flags: number): number {
  const truncates = (flags & O_TRUNC) !== 0 ? W_OK : 0;
  switch (flags & O_ACCMODE) {
    case O_RDONLY:
      return R_OK | truncates;
    case O_WRONLY:
      return W_OK;
    default:
      return R_OK | W_OK;
  }
}

function writable(at: OpenPath): CheckedPath<"write"> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- open asks for "write" whenever O_CREAT is given
  return at as CheckedPath<"write">;
}
