/**
 * The file methods of a cell: each acts as the user or root, through the same calls as any guest.
 * None waits for a guest: files are opened with O_NONBLOCK, and what is a FIFO is refused.
 */
import {
  type DirectoryEntry,
  heldBytesFor,
  isKernelError,
  type Kernel,
  KernelError,
  O_APPEND,
  O_CREAT,
  O_DIRECTORY,
  O_NOCTTY,
  O_NONBLOCK,
  O_RDONLY,
  O_WRONLY,
  type Stat,
  type Sys,
} from "../../kernel/index.ts";
import type { Actor, CellMethod, CellParams } from "../wire/cell-methods.ts";
import { actAs } from "./acting.ts";
import { pageOf } from "./page-of.ts";

type Params<M extends CellMethod> = CellParams<M>;

/** How many entries go into one answer at most; their names must fit a frame's header, too. */
const ENTRIES_PER_PAGE = 500;
/** The host neither waits for a guest nor takes its terminal. */
const HOST_FLAGS = O_NONBLOCK | O_NOCTTY;
/** The unit of stat's blocks. */
const BLOCK_BYTES = 512;
/** How deep a tree may be that is removed in one call. */
const DEPTH_LIMIT = 4096;

export async function readFile(
  kernel: Kernel,
  { path, offset, length, as }: Params<"readFile">,
): Promise<{ sizeBytes: number; body: Uint8Array }> {
  return act(kernel, as, path, async (sys) => {
    requireNoStream(await sys.stat(path), path);
    const fd = await sys.open(path, O_RDONLY | HOST_FLAGS);
    const { kind, size } = requireNoStream(await sys.fstat(fd), path);
    if (kind === "directory") throw new KernelError("EISDIR", path);
    const isSeekable = kind === "file" && size > 0;
    const body = new Uint8Array(isSeekable ? Math.min(length, Math.max(0, size - offset)) : length);
    let done = 0;
    while (done < body.length) {
      const rest = body.subarray(done);
      const count =
        kind === "file" ? await sys.pread(fd, rest, offset + done) : await sys.read(fd, rest);
      if (count === 0) break;
      done += count;
      if (kind !== "file") break;
    }
    return { sizeBytes: size, body: body.subarray(0, done) };
  });
}

/** ENXIO for a FIFO, EISDIR for a directory; ENOSPC before anything is changed. */
export async function writeFile(
  kernel: Kernel,
  params: Params<"writeFile">,
  data: Uint8Array,
): Promise<{ isNew: boolean; sizeBefore: number }> {
  const { path, offset, truncates, mode = 0o666, makesParents, as, totalBytes } = params;
  // Such a path asks for a directory: none is made for it.
  if (/\/$|(^|\/)\.{1,2}$/.test(path)) throw new KernelError("EISDIR", path);
  return act(kernel, as, path, async (sys) => {
    const before = await statIfThere(sys, path);
    if (before !== undefined) requireNoStream(before, path);
    if (totalBytes !== undefined) requireRoom(kernel, before, { totalBytes, truncates });
    if (makesParents) await makeParents(sys, path);
    const isFirst = totalBytes !== undefined;
    const access = O_WRONLY | HOST_FLAGS | (offset === "end" ? O_APPEND : 0);
    const fd = await sys.open(path, access | (isFirst ? O_CREAT : 0), mode);
    const opened = { isNew: before === undefined, sizeBefore: before?.size ?? 0 };
    const { kind } = requireNoStream(await sys.fstat(fd), path);
    try {
      if (truncates && kind === "file") await sys.ftruncate(fd, 0);
      await writeAll(sys, fd, data, kind === "file" ? offset : "end");
    } catch (error) {
      const sizeBytes = truncates ? 0 : opened.sizeBefore;
      if (isFirst && kind === "file") await takeBack(sys, path, opened.isNew, sizeBytes);
      throw error;
    }
    return opened;
  });
}

export async function undoWrite(
  kernel: Kernel,
  { path, isNew, sizeBytes, as }: Params<"undoWrite">,
): Promise<void> {
  await act(kernel, as, path, (sys) => takeBack(sys, path, isNew, sizeBytes));
}

export async function statFile(
  kernel: Kernel,
  { path, followsLinks, as }: Params<"stat">,
): Promise<Stat> {
  return act(kernel, as, path, (sys) => (followsLinks ? sys.stat(path) : sys.lstat(path)));
}

export async function readDirectory(
  kernel: Kernel,
  { path, offset, as }: Params<"readdir">,
): Promise<{ entries: DirectoryEntry[]; isEnd: boolean }> {
  return act(kernel, as, path, async (sys) => {
    const fd = await sys.open(path, O_RDONLY | O_DIRECTORY);
    let skip = offset;
    while (skip > 0) {
      const passed = await sys.readdir(fd, skip);
      if (passed.length === 0) return { entries: [], isEnd: true };
      skip -= passed.length;
    }
    const read = await sys.readdir(fd, ENTRIES_PER_PAGE);
    const entries = [...pageOf(read)];
    return { entries, isEnd: read.length < ENTRIES_PER_PAGE && entries.length === read.length };
  });
}

export async function makeDirectory(
  kernel: Kernel,
  { path, isRecursive, as }: Params<"mkdir">,
): Promise<void> {
  await act(kernel, as, path, async (sys) => {
    if (!isRecursive) return sys.mkdir(path);
    await makeParents(sys, `${path}/`);
    return undefined;
  });
}

export async function removeFile(
  kernel: Kernel,
  { path, isRecursive, as }: Params<"remove">,
): Promise<void> {
  await act(kernel, as, path, (sys) => removeTree(sys, path, isRecursive, 0));
}

export async function renameFile(
  kernel: Kernel,
  { from, to, as }: Params<"rename">,
): Promise<void> {
  await act(kernel, as, from, (sys) => sys.rename(from, to));
}

/** Acts as somebody; a failure that names nothing names the path. */
async function act<T>(
  kernel: Kernel,
  as: Actor,
  path: string,
  step: (sys: Sys) => Promise<T>,
): Promise<T> {
  try {
    return await actAs(kernel, as, step);
  } catch (error) {
    if (!isKernelError(error) || error.subject !== undefined) throw error;
    throw new KernelError(error.errno, path, error.reason);
  }
}

async function statIfThere(sys: Sys, path: string): Promise<Stat | undefined> {
  try {
    return await sys.stat(path);
  } catch (error) {
    if (isKernelError(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Looked at before opening, which a guest at the other end would notice, and after it. */
function requireNoStream(stat: Stat, path: string): Stat {
  const isStream = stat.kind === "fifo" || stat.kind === "socket";
  if (isStream) throw new KernelError("ENXIO", path, `a ${stat.kind} is not a regular file`);
  return stat;
}

/** ENOSPC or EFBIG when the VM's limits leave no room for the whole of a write. */
function requireRoom(
  { limits }: Kernel,
  before: Stat | undefined,
  { totalBytes, truncates }: { readonly totalBytes: number; readonly truncates: boolean },
): void {
  if (before !== undefined && before.kind !== "file") return;
  const kept = truncates ? 0 : (before?.size ?? 0);
  const givenBack = truncates ? (before?.blocks ?? 0) * BLOCK_BYTES : heldBytesFor(kept);
  limits.check("maxFileBytes", kept + totalBytes);
  const growth = heldBytesFor(kept + totalBytes) - givenBack;
  limits.check("maxFilesystemBytes", limits.used("maxFilesystemBytes") + growth);
}

async function writeAll(
  sys: Sys,
  fd: number,
  data: Uint8Array,
  offset: number | "end",
): Promise<void> {
  let done = 0;
  while (done < data.length) {
    const rest = data.subarray(done);
    done +=
      offset === "end" ? await sys.write(fd, rest) : await sys.pwrite(fd, rest, offset + done);
  }
}

/** What a link leads to is cut, never removed: the link was there before. */
async function takeBack(sys: Sys, path: string, isNew: boolean, sizeBytes: number): Promise<void> {
  const { kind } = await sys.lstat(path);
  if (isNew && kind === "file") await sys.unlink(path);
  else await sys.truncate(path, sizeBytes);
}

/** Makes each directory of the path that is missing, the last name excepted. */
async function makeParents(sys: Sys, path: string): Promise<void> {
  const names = path.split("/").slice(0, -1);
  for (let end = 1; end <= names.length; end++) {
    const directory = names.slice(0, end).join("/");
    if (directory === "") continue;
    try {
      await sys.mkdir(directory);
    } catch (error) {
      if (!isKernelError(error, "EEXIST")) throw error;
      const { kind } = await sys.stat(directory);
      if (kind !== "directory") throw new KernelError("ENOTDIR", directory);
    }
  }
}

async function removeTree(
  sys: Sys,
  path: string,
  isRecursive: boolean,
  depth: number,
): Promise<void> {
  if (depth > DEPTH_LIMIT) throw new KernelError("ELOOP", path, "the tree is too deep");
  const { kind } = await sys.lstat(path);
  if (kind !== "directory") return sys.unlink(path);
  if (!isRecursive) return sys.rmdir(path);
  const fd = await sys.open(path, O_RDONLY | O_DIRECTORY);
  for (let entries = await sys.readdir(fd); entries.length > 0; entries = await sys.readdir(fd)) {
    for (const { name } of entries) await removeTree(sys, `${path}/${name}`, true, depth + 1);
  }
  await sys.close(fd);
  return sys.rmdir(path);
}
