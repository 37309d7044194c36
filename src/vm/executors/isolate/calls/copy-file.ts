import {
  isKernelError,
  KernelError,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_RDONLY,
  O_WRONLY,
  type Stat,
  type Sys,
} from "../../../../kernel/index.ts";
import { writeAll } from "./files.ts";

/** libuv's flags. */
const COPYFILE_EXCL = 1;
const COPYFILE_FICLONE_FORCE = 4;
const CHUNK_BYTES = 1 << 20;

/** As uv_fs_copyfile: content and mode; a copy that fails half way is removed. */
export async function copyFile(
  sys: Sys,
  { from, to }: { readonly from: string; readonly to: string },
  flags: number,
): Promise<void> {
  const source = await sys.open(from, O_RDONLY | O_CLOEXEC);
  try {
    const stat = await sys.fstat(source);
    const isExclusive = (flags & COPYFILE_EXCL) !== 0;
    const how = O_WRONLY | O_CREAT | O_CLOEXEC | (isExclusive ? O_EXCL : 0);
    const target = await sys.open(to, how, stat.mode);
    let isRefused = true;
    try {
      if (await isSame(sys, stat, target)) return;
      if ((flags & COPYFILE_FICLONE_FORCE) !== 0) throw new KernelError("ENOTSUP");
      if (stat.kind === "directory") throw new KernelError("EISDIR", from);
      await copyContent(sys, source, target, stat.mode);
      isRefused = false;
    } finally {
      await sys.close(target);
      if (isRefused && !(await isSamePath(sys, stat, to))) await removeQuietly(sys, to);
    }
  } finally {
    await sys.close(source);
  }
}

async function copyContent(sys: Sys, source: number, target: number, mode: number): Promise<void> {
  await sys.ftruncate(target, 0);
  await sys.fchmod(target, mode).catch((error: unknown) => {
    if (!isKernelError(error, "EPERM")) throw error;
  });
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    const count = await sys.read(source, chunk);
    if (count === 0) return;
    await writeAll(sys, target, chunk.subarray(0, count));
  }
}

async function isSame(sys: Sys, stat: Stat, fd: number): Promise<boolean> {
  const other = await sys.fstat(fd);
  return other.dev === stat.dev && other.ino === stat.ino;
}

async function isSamePath(sys: Sys, stat: Stat, name: string): Promise<boolean> {
  try {
    const other = await sys.stat(name);
    return other.dev === stat.dev && other.ino === stat.ino;
  } catch (error) {
    if (isKernelError(error)) return true;
    throw error;
  }
}

async function removeQuietly(sys: Sys, name: string): Promise<void> {
  await sys.unlink(name).catch((error: unknown) => {
    if (!isKernelError(error)) throw error;
  });
}
