/** Opening, reading and writing files. */
import { KernelError, isKernelError } from "../abi/kernel-error.ts";
import { O_ACCMODE, O_CLOEXEC, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR, O_TRUNC } from "../abi/open-flags.ts";
import { signals } from "../abi/signals.ts";
import type { OpenFile } from "../fd/open-file.ts";
import { checkFile, checkPath, type PathArg } from "../permissions/check-path.ts";
import { requirePermission } from "../permissions/require-permission.ts";
import type { Process } from "../process/process.ts";
import { sendSignal } from "../process/send-signal.ts";
import { openFile } from "../vfs/open.ts";

/** Opens, and makes with O_CREAT. The lowest free fd. */
export async function open(process: Process, path: PathArg, flags: number, mode = 0o666): Promise<number> {
  const isCreating = (flags & O_CREAT) !== 0;
  if (isCreating && (flags & O_DIRECTORY) !== 0) throw new KernelError("EINVAL", textOf(path));
  const isOnlyDirectory = isCreating && textOf(path).endsWith("/");
  const isKept = (flags & O_NOFOLLOW) !== 0 || (isCreating && (flags & O_EXCL) !== 0);
  const followsLast = isOnlyDirectory ? "name" : !isKept && (isCreating ? "create" : true);
  const isWriting = (flags & O_ACCMODE) !== O_RDONLY || (flags & (O_CREAT | O_TRUNC)) !== 0;
  const at = await checkPath<"read" | "write" | "readdir">({
    process,
    call: "open",
    path,
    followsLast,
    operation: (place) => {
      if (isWriting) return "write";
      return place.existing?.inode.kind === "directory" ? "readdir" : "read";
    },
  });
  // A slash after the name asks for a directory, and open makes none.
  if (isOnlyDirectory) throw new KernelError("EISDIR", at.path);
  const isReadingToo = isWriting && (flags & O_ACCMODE) === O_RDWR;
  if (isReadingToo) {
    await requirePermission({ process, call: "open", scope: "fs", operation: "read", subject: at.path });
  }
  try {
    return addFd(process, await openFile(at, flags, mode, process), flags);
  } catch (error) {
    const isRaced = isKernelError(error, "EEXIST") && at.existing === undefined && (flags & O_EXCL) === 0;
    if (!isRaced) throw error;
    return open(process, path, flags, mode);
  }
}

export async function close(process: Process, fd: number): Promise<void> {
  const file = process.fds.get(fd);
  process.kernel.locks.releaseClosed(process, file);
  process.fds.close(fd);
}

/** Waits on a pipe or terminal that has nothing; 0 at the end. */
export async function read(process: Process, fd: number, into: Uint8Array): Promise<number> {
  const file = readable(process, fd);
  process.kernel.limits.check("maxPreadBytes", into.length);
  if (into.length === 0) return 0;
  return holding(file, () => file.read(into, process));
}

/** All of `from`, unless a signal or O_NONBLOCK cuts it. No reader left: SIGPIPE, then EPIPE. */
export async function write(process: Process, fd: number, from: Uint8Array): Promise<number> {
  const file = writable(process, fd);
  process.kernel.limits.check("maxFdWriteBytes", from.length);
  try {
    return await holding(file, () => file.write(from, process));
  } catch (error) {
    if (isKernelError(error, "EPIPE")) sendSignal(process, signals.SIGPIPE);
    throw error;
  }
}

export async function pread(process: Process, fd: number, into: Uint8Array, offset: number): Promise<number> {
  const file = readable(process, fd);
  process.kernel.limits.check("maxPreadBytes", into.length);
  checkOffset(offset);
  return holding(file, () => file.pread(into, offset));
}

export async function pwrite(process: Process, fd: number, from: Uint8Array, offset: number): Promise<number> {
  const file = writable(process, fd);
  process.kernel.limits.check("maxFdWriteBytes", from.length);
  checkOffset(offset);
  return holding(file, () => file.pwrite(from, offset));
}

export async function seek(process: Process, fd: number, offset: number, whence: number): Promise<number> {
  return process.fds.get(fd).seek(offset, whence);
}

export async function truncate(process: Process, path: PathArg, sizeBytes: number): Promise<void> {
  checkOffset(sizeBytes);
  const at = await checkFile({ process, call: "truncate", path, operation: "truncate" });
  await process.kernel.vfs.truncate(at, sizeBytes, process);
}

export async function ftruncate(process: Process, fd: number, sizeBytes: number): Promise<void> {
  const file = process.fds.get(fd);
  checkOffset(sizeBytes);
  if (!file.isWritable) throw new KernelError("EINVAL", String(fd));
  await holding(file, () => file.truncate(sizeBytes));
}

/** Returns when what was written is where the file system keeps it. */
export async function fsync(process: Process, fd: number): Promise<void> {
  const file = process.fds.get(fd);
  await holding(file, () => file.sync());
}

export async function sync(process: Process): Promise<void> {
  await process.kernel.vfs.sync();
}

function textOf(path: PathArg): string {
  return typeof path === "string" ? path : path.path;
}

function readable(process: Process, fd: number): OpenFile {
  const file = process.fds.get(fd);
  if (!file.isReadable) throw new KernelError("EBADF", String(fd));
  return file;
}

function writable(process: Process, fd: number): OpenFile {
  const file = process.fds.get(fd);
  if (!file.isWritable) throw new KernelError("EBADF", String(fd));
  return file;
}

/** A file stays open while a call uses it, whoever closes its descriptor meanwhile. */
async function holding<T>(file: OpenFile, step: () => Promise<T>): Promise<T> {
  file.retain();
  try {
    return await step();
  } finally {
    file.drop();
  }
}

function checkOffset(offset: number): void {
  if (!Number.isSafeInteger(offset) || offset < 0) throw new KernelError("EINVAL", String(offset));
}

function addFd(process: Process, file: OpenFile, flags: number): number {
  file.retain();
  try {
    return process.fds.add(file, (flags & O_CLOEXEC) !== 0);
  } finally {
    file.drop();
  }
}
