// Opens what lies in a folder of the host, and nothing that lies outside of it. No link is followed,
// neither at the end of a path nor on its way: links are the guest's kernel's to follow. Whoever
// changes the folder meanwhile gains nothing: what counts is where the opened thing lies.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { encodeText, KernelError } from "../../../kernel/index.ts";

/** Where Linux shows a process its open files; a path below a directory's goes by that directory. */
const OWN_FDS = "/proc/self/fd";
const hasOwnFds = process.platform === "linux" && existsSync(OWN_FDS);

const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_DIRECTORY, O_NOCTTY } = constants;
/** A FIFO is not waited for, a terminal not taken. Windows knows none of these flags. */
const CAREFUL = O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0);

/** Calls with the file, open. ESTALE when by now there is none, or a link leads to it. */
export function withFileInside<T>(
  root: Uint8Array,
  path: string,
  use: (fd: number, stats: Stats) => T,
): T {
  const full = pathInside(root, path);
  // Not opened unless it is a file: opening a device can do something.
  requireFile(lstatSync(full));
  return withOpen(full, CAREFUL, (fd) => {
    const stats = fstatSync(fd);
    requireFile(stats);
    requireInside(full, fd);
    return use(fd, stats);
  });
}

/**
 * Calls with a path that stands for the directory, whatever happens to its name meanwhile. Without
 * Linux's /proc it is the name, checked before: whoever can write to the folder could be quicker.
 */
export function withDirectoryInside<T>(
  root: Uint8Array,
  path: string,
  use: (directory: Buffer) => T,
): T {
  const full = pathInside(root, path);
  if (!hasOwnFds) {
    requireInside(full, undefined);
    return use(full);
  }
  return withOpen(full, CAREFUL | O_DIRECTORY, (fd) => {
    requireInside(full, fd);
    return use(Buffer.from(`${OWN_FDS}/${fd}`));
  });
}

function pathInside(root: Uint8Array, path: string): Buffer {
  if (path === "") return Buffer.from(root);
  if (process.platform === "win32" && /[\\:]/.test(path)) throw new KernelError("ESTALE");
  return Buffer.concat([root, Buffer.from("/"), encodeText(path)]);
}

function withOpen<T>(path: Buffer, flags: number, use: (fd: number) => T): T {
  const fd = openSync(path, flags);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

function requireFile(stats: Stats): void {
  if (stats.isFile()) return;
  const hasChanged = stats.isSymbolicLink() || stats.isDirectory();
  throw new KernelError(hasChanged ? "ESTALE" : "EACCES");
}

/** ESTALE unless the path leads, without any link, to what is open. */
function requireInside(full: Buffer, fd: number | undefined): void {
  const where =
    hasOwnFds && fd !== undefined
      ? readlinkSync(`${OWN_FDS}/${fd}`, { encoding: "buffer" })
      : realpathSync.native(full, { encoding: "buffer" });
  if (!full.equals(where)) throw new KernelError("ESTALE");
}
