// Opens what lies in a folder of the host, and nothing that lies outside of it. No link is followed,
// neither at the end of a path nor on its way: links are the guest's kernel's to follow. Whoever
// changes the folder meanwhile gains nothing: what counts is where the opened thing lies.
import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { encodeText, KernelError } from "../../../kernel/index.ts";

/** Where Linux shows a process its open files; a path below a directory's goes by that directory. */
const OWN_FDS = "/proc/self/fd";
const hasOwnFds = process.platform === "linux" && existsSync(OWN_FDS);

const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_DIRECTORY, O_NOCTTY } = constants;
/** A FIFO is not waited for, a terminal not taken. Windows knows none of these flags. */
const CAREFUL = O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0);

/** The path of something in a folder. */
export function pathInside(root: Uint8Array, path: string): Buffer {
  if (path === "") return Buffer.from(root);
  if (process.platform === "win32" && /[\\:]/.test(path)) throw new KernelError("ENOENT");
  return Buffer.concat([root, Buffer.from("/"), encodeText(path)]);
}

/** The file, open; its user closes it. ESTALE when by now there is none, or a link leads to it. */
export async function openFileInside(root: Uint8Array, path: string): Promise<FileHandle> {
  const full = pathInside(root, path);
  // Not opened unless it is a file: opening a device can do something.
  const before = await lstat(full);
  if (before.isDirectory()) throw new KernelError("EISDIR");
  if (before.isSymbolicLink()) throw new KernelError("ESTALE");
  if (!before.isFile()) throw new KernelError("EACCES");
  const handle = await open(full, CAREFUL);
  try {
    const after = await handle.stat();
    if (!after.isFile()) throw new KernelError("ESTALE");
    await requireInside(full, handle.fd);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Calls with a path that stands for the directory, whatever happens to its name meanwhile. Without
 * Linux's /proc it is the name, checked before: whoever can write to the folder could be quicker.
 */
export async function withDirectoryInside<T>(
  root: Uint8Array,
  path: string,
  use: (directory: string | Buffer) => Promise<T>,
): Promise<T> {
  const full = pathInside(root, path);
  if (!hasOwnFds) {
    await requireInside(full, undefined);
    return use(full);
  }
  const handle = await open(full, CAREFUL | O_DIRECTORY);
  try {
    await requireInside(full, handle.fd);
    return await use(`${OWN_FDS}/${handle.fd}`);
  } finally {
    await handle.close();
  }
}

/** ESTALE unless the path leads, without any link, to what is open. */
async function requireInside(full: Buffer, fd: number | undefined): Promise<void> {
  const where =
    hasOwnFds && fd !== undefined
      ? await readlink(`${OWN_FDS}/${fd}`, { encoding: "buffer" })
      : await realpath(full, { encoding: "buffer" });
  if (!full.equals(where)) throw new KernelError("ESTALE");
}
