/** Opening, reading and writing files. */
import { isKernelError, KernelError } from "../abi/kernel-error.ts";
import {
  O_ACCMODE,
  O_CLOEXEC,
  O_CREAT,
  O_DIRECTORY,
  O_EXCL,
  O_NOFOLLOW,
  O_RDONLY,
  O_TRUNC,
  O_WRONLY,
} from "../abi/open-flags.ts";
import { signals } from "../abi/signals.ts";
import { holding } from "../fd/holding.ts";
import type { OpenFile } from "../fd/open-file.ts";
import { checkFile, checkPath, type PathArg } from "../permissions/check-path.ts";
import type { Process } from "../process/process.ts";
import { ProcessEnded } from "../process/process-ended.ts";
import { sendSignal } from "../process/send-signal.ts";
import { openFile } from "../vfs/open.ts";
import type { NamePlace } from "../vfs/place.ts";
import { addFile } from "./descriptors.ts";

/** Opens, and makes with O_CREAT. The lowest free fd; without one nothing is made or cut. */
export async function open(
  process: Process,
  path: PathArg,
  flags: number,
  mode = 0o666,
): Promise<number> {
  const { generation } = process;
  const isCreating = (flags & O_CREAT) !== 0;
  if (isCreating && (flags & O_DIRECTORY) !== 0) throw new KernelError("EINVAL", textOf(path));
  process.fds.requireRoom();
  const isOnlyDirectory = isCreating && textOf(path).endsWith("/");
  const isKept = (flags & O_NOFOLLOW) !== 0 || (isCreating && (flags & O_EXCL) !== 0);
  const followsLast = isOnlyDirectory ? "name" : !isKept && (isCreating ? "create" : true);
  const operation = (place: NamePlace): OpenOperation[] => operationsFor(place, flags);
  const isToRead = (flags & (O_ACCMODE | O_CREAT | O_DIRECTORY | O_TRUNC)) === O_RDONLY;
  const at = await checkPath({ process, call: "open", path, followsLast, operation, isToRead });
  // A slash after the name asks for a directory, and open makes none.
  if (isOnlyDirectory) throw new KernelError("EISDIR", at.path);
  try {
    return addOpened(process, generation, await openFile(at, flags, mode, process), flags);
  } catch (error) {
    const isRaced =
      isKernelError(error, "EEXIST") && at.existing === undefined && (flags & O_EXCL) === 0;
    if (!isRaced) throw error;
    return open(process, path, flags, mode);
  }
}

type OpenOperation = "read" | "write" | "readdir";

/** What the policy is asked: everything that the descriptor can be used for, or that opening does. */
function operationsFor(place: NamePlace, flags: number): OpenOperation[] {
  const access = flags & O_ACCMODE;
  const isWriting = access !== O_RDONLY || (flags & (O_CREAT | O_TRUNC)) !== 0;
  const operations: OpenOperation[] = isWriting ? ["write"] : [];
  const isDirectory = place.existing?.inode.kind === "directory";
  if (access !== O_WRONLY) operations.push(isDirectory ? "readdir" : "read");
  return operations;
}

/**
 * Gives the number back. The last descriptor of an open file releases it; any gives back record
 * locks.
 */
export async function close(process: Process, fd: number): Promise<void> {
  const file = process.fds.get(fd);
  process.kernel.locks.releaseClosed(process, file);
  process.fds.close(fd);
}

/** Waits on a pipe or terminal that has nothing; 0 at the end. */
export async function read(process: Process, fd: number, into: Uint8Array): Promise<number> {
  const file = readableFor(process, fd, into);
  return file === undefined ? 0 : holding(file, () => file.read(into, process));
}

/**
 * Like read, but takes no byte beyond the first `delimiter`: the next reader of the same open file
 * finds the rest. EINVAL for a delimiter that is not a byte.
 */
export async function readThrough(
  process: Process,
  fd: number,
  into: Uint8Array,
  delimiter: number,
): Promise<number> {
  const file = readableFor(process, fd, into);
  if (!Number.isInteger(delimiter) || delimiter < 0 || delimiter > 0xff) {
    throw new KernelError("EINVAL");
  }
  return file === undefined ? 0 : holding(file, () => file.readThrough(into, delimiter, process));
}

/** The file to fill `into` from; undefined when no bytes are asked for. */
function readableFor(process: Process, fd: number, into: Uint8Array): OpenFile | undefined {
  const file = readable(process, fd);
  // Deviation: a read or write of more than its limit fails with EINVAL, where Linux does a part.
  process.kernel.limits.check("maxPreadBytes", into.length);
  const isNothing = into.length === 0 && file.place?.inode.kind !== "directory";
  return isNothing ? undefined : file;
}

/** All of `from`, unless a signal or O_NONBLOCK cuts it. No reader left: SIGPIPE, then EPIPE. */
export async function write(process: Process, fd: number, from: Uint8Array): Promise<number> {
  const file = writable(process, fd);
  process.kernel.limits.check("maxFdWriteBytes", from.length);
  try {
    return await holding(file, async () => {
      await dropSetIds(process, file);
      return file.write(from, process);
    });
  } catch (error) {
    if (isKernelError(error, "EPIPE")) sendSignal(process, signals.SIGPIPE);
    throw error;
  }
}

/** Reads at an offset, leaving the file's own alone; 0 at or past the end. */
export async function pread(
  process: Process,
  fd: number,
  into: Uint8Array,
  offset: number,
): Promise<number> {
  const file = readable(process, fd);
  process.kernel.limits.check("maxPreadBytes", into.length);
  checkOffset(offset);
  return holding(file, () => file.pread(into, offset));
}

/** Writes at an offset, leaving the file's own alone; with O_APPEND at the end, as Linux does. */
export async function pwrite(
  process: Process,
  fd: number,
  from: Uint8Array,
  offset: number,
): Promise<number> {
  const file = writable(process, fd);
  process.kernel.limits.check("maxFdWriteBytes", from.length);
  checkOffset(offset);
  return holding(file, async () => {
    await dropSetIds(process, file);
    return file.pwrite(from, offset);
  });
}

/** Moves the offset from the start, from here or from the end; answers where it is then. */
export async function seek(
  process: Process,
  fd: number,
  offset: number,
  whence: number,
): Promise<number> {
  const file = process.fds.get(fd);
  return holding(file, () => file.seek(offset, whence));
}

/** Cuts a file, or extends it with zeros that take no room. */
export async function truncate(process: Process, path: PathArg, sizeBytes: number): Promise<void> {
  checkOffset(sizeBytes);
  const at = await checkFile({ process, call: "truncate", path, operation: "truncate" });
  await process.kernel.vfs.truncate(at, sizeBytes, process);
}

/** The same for an open file. */
export async function ftruncate(process: Process, fd: number, sizeBytes: number): Promise<void> {
  const file = process.fds.get(fd);
  checkOffset(sizeBytes);
  if (!file.isWritable) throw new KernelError("EINVAL", String(fd));
  await holding(file, async () => {
    await dropSetIds(process, file);
    await file.truncate(sizeBytes);
  });
}

/** Returns when what was written is where the file system keeps it. */
export async function fsync(process: Process, fd: number): Promise<void> {
  const file = process.fds.get(fd);
  await holding(file, () => file.sync());
}

/** Returns when everything written is where its file system keeps it. */
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

/** Most writers own what they write, and most files have no such bits: cheap for root and pipes. */
async function dropSetIds(process: Process, { place }: OpenFile): Promise<void> {
  if (place === undefined || process.credentials.euid === 0) return;
  await process.kernel.vfs.dropSetIds(place, process);
}

function checkOffset(offset: number): void {
  if (!Number.isSafeInteger(offset) || offset < 0) throw new KernelError("EINVAL", String(offset));
}

/** What an image opens that exec has replaced meanwhile does not reach the new one. */
function addOpened(process: Process, generation: number, file: OpenFile, flags: number): number {
  if (process.generation === generation) {
    return addFile(process, file, (flags & O_CLOEXEC) !== 0);
  }
  file.retain();
  file.drop();
  throw new ProcessEnded(process.pid);
}
