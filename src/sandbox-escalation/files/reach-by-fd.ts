/**
 * How a shared directory is reached without a path that somebody could bend: by an open descriptor of a
 * directory and one name in it, through Linux's /proc/self/fd. No link is followed, whoever renames what
 * meanwhile. Descriptors are of the kind O_PATH: they stand for a file, and opening them does nothing to it.
 */
import { type BigIntStats, closeSync, constants, existsSync, fstatSync, openSync } from "node:fs";
import { encodeText, type FileKind, KernelError } from "../../kernel/index.ts";

const OWN_FDS = "/proc/self/fd";
/** Linux's O_PATH (asm-generic/fcntl.h), which Node does not name. */
const O_PATH = 0o10000000;
const { O_NOFOLLOW, O_DIRECTORY, O_NONBLOCK, O_NOCTTY } = constants;
/** Linux's NAME_MAX. */
const NAME_BYTES = 255;

/** A file that is held: the descriptor, and what it is. */
export interface HeldFile {
  readonly fd: number;
  readonly facts: FileFacts;
}

/** What stat tells, with what makes the file another than any other, before or after. */
export interface FileFacts {
  readonly identity: string;
  readonly ino: number;
  readonly kind: FileKind;
  readonly mode: number;
  readonly size: number;
  readonly nlink: number;
  readonly blocks: number;
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Whether this host has what all of this needs. */
export function canReachByFd(): boolean {
  return process.platform === "linux" && existsSync(OWN_FDS);
}

/** The path of the held file itself. The system follows it to that file and no further. */
export function itself(fd: number): string {
  return `${OWN_FDS}/${fd}`;
}

/** The path of a name in a held directory. EINVAL for what is no name. */
export function inside(directory: number, name: string): Buffer {
  const bytes = encodeText(name);
  const isName = name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name);
  if (!isName) throw new KernelError("EINVAL");
  if (bytes.length > NAME_BYTES) throw new KernelError("ENAMETOOLONG");
  return Buffer.concat([Buffer.from(`${OWN_FDS}/${directory}/`), bytes]);
}

/** Holds what is at a path, a link as a link. */
export function hold(path: string | Buffer): HeldFile {
  const fd = openSync(path, O_PATH | O_NOFOLLOW);
  try {
    return { fd, facts: factsOf(fstatSync(fd, { bigint: true })) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Holds a directory of the host whose path is the operator's: links in it are followed. */
export function holdRoot(path: string): HeldFile {
  const fd = openSync(path, O_PATH | O_DIRECTORY);
  return { fd, facts: factsOf(fstatSync(fd, { bigint: true })) };
}

/**
 * Calls with the held file opened for its content. Only files: opening a FIFO waits, and opening a device
 * may do something. EISDIR, EACCES.
 */
export function withContent<T>(held: number, flags: number, use: (fd: number) => T): T {
  const stats = fstatSync(held);
  if (stats.isDirectory()) throw new KernelError("EISDIR");
  if (!stats.isFile()) throw new KernelError("EACCES", undefined, "a special file of the sandbox");
  const fd = openSync(itself(held), flags | O_NONBLOCK | O_NOCTTY);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

export function factsOf(stats: BigIntStats): FileFacts {
  const { dev, ino, birthtimeNs } = stats;
  return {
    // Numbers are used again for new files; the time of birth is not.
    identity: `${dev}:${ino}:${birthtimeNs}:${stats.mode & FORMAT}`,
    ino: Number(BigInt.asUintN(53, ino)),
    kind: kindOf(stats),
    mode: Number(stats.mode & 0o7777n),
    size: Number(stats.size),
    nlink: Number(stats.nlink),
    blocks: Number(stats.blocks),
    atimeMs: msOf(stats.atimeNs),
    mtimeMs: msOf(stats.mtimeNs),
    ctimeMs: msOf(stats.ctimeNs),
  };
}

/** To the microsecond: milliseconds with fractions are not exact below, and Node sets times no finer. */
function msOf(ns: bigint): number {
  return Number(ns / 1000n) / 1000;
}

/** S_IFMT of stat(2). */
const FORMAT = 0o170000n;

function kindOf(stats: BigIntStats): FileKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  if (stats.isSymbolicLink()) return "symlink";
  if (stats.isSocket()) return "socket";
  // Deviation: FIFOs of a shared directory are devices that nobody can open.
  return "device";
}
