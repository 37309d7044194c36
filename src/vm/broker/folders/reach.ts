/** How files of a host folder are reached: by what is held and one name, never by a path of a guest's. */
import type { BigIntStats } from "node:fs";
import { encodeText, type FileKind, KernelError } from "../../../kernel/index.ts";

/** A file that is held: a number that stands for it until it is closed, and what it is. */
export interface HeldFile {
  readonly fd: number;
  readonly facts: FileFacts;
}

/** What stat tells, with what tells the file from any other, before or after. */
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
  /** Whether this process may read it, by its mode. */
  readonly isReadable: boolean;
}

/** No call follows a link: links are followed by the VM's kernel, in the VM's own tree. */
export interface Reach {
  /** Holds a directory whose path the operator gave: links in it are followed. */
  holdRoot(path: string): HeldFile;
  /** Holds what has that name, a link as a link. ENOENT. */
  hold(directory: number, name: string): HeldFile;
  /** Holds the file of an open descriptor, whatever its name is by now. ENOTSUP. */
  holdOpen(fd: number): HeldFile;
  close(held: number): void;
  stat(held: number): FileFacts;
  /** A path of the held file itself, good for one call. */
  itself(held: number): string | Buffer;
  /** A path of a name in a held directory, good for one call. EINVAL, ENAMETOOLONG. */
  inside(directory: number, name: string): Buffer;
  /**
   * Tells of all in a held directory, without what is gone by the time it is looked at. False, and nothing is told,
   * where it has more than `most` names.
   */
  lookThrough(directory: number, most: number, tell: TellFile): boolean;
  /** Tells of what has that name in a held directory; of nothing where it is gone. */
  lookAt(directory: number, name: Buffer, tell: TellFile): void;
  /** Calls with the held file opened. Only regular files: EISDIR, EACCES. `kind` is the held file's, if that is known. */
  withContent<T>(held: number, flags: number, use: (fd: number) => T, kind?: FileKind): T;
}

/** Is told of a file in a directory; `target` is where a link leads. */
export type TellFile = (name: string, facts: FileFacts, target: string | undefined) => void;

/** Linux's NAME_MAX. */
const NAME_BYTES = 255;

/** The bytes of a name. EINVAL for what is not one name; ENAMETOOLONG. */
export function nameBytes(name: string): Uint8Array {
  const bytes = encodeText(name);
  const isName = name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name);
  if (!isName) throw new KernelError("EINVAL");
  if (bytes.length > NAME_BYTES) throw new KernelError("ENAMETOOLONG");
  return bytes;
}

/** Opening a FIFO waits, and opening a device may do something. EISDIR, EACCES. */
export function requireContent(kind: FileKind): void {
  if (kind === "directory") throw new KernelError("EISDIR");
  if (kind !== "file") throw new KernelError("EACCES", undefined, "a special file of the host");
}

/** The code of an error of Node's, as "ENOENT"; empty for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function factsOf(stats: BigIntStats): FileFacts {
  const { dev, ino, birthtimeNs } = stats;
  const mode = Number(stats.mode);
  return {
    // Numbers are used again for new files; the time of birth is not.
    identity: `${dev}:${ino}:${birthtimeNs}:${mode & FORMAT}`,
    ino: Number(BigInt.asUintN(53, ino)),
    kind: kindOf(mode),
    mode: mode & 0o7777,
    size: Number(stats.size),
    nlink: Number(stats.nlink),
    blocks: Number(stats.blocks),
    atimeMs: msOf(stats.atimeNs),
    mtimeMs: msOf(stats.mtimeNs),
    ctimeMs: msOf(stats.ctimeNs),
    isReadable: canRead(mode, Number(stats.uid), Number(stats.gid)),
  };
}

/** To the microsecond: milliseconds with fractions are not exact below, and Node sets times no finer. */
function msOf(ns: bigint): number {
  return Number(ns / 1000n) / 1000;
}

/** S_IFMT of stat(2), and the kinds it has. */
export const FORMAT = 0o170000;
const kinds: ReadonlyMap<number, FileKind> = new Map([
  [0o100000, "file"],
  [0o040000, "directory"],
  [0o120000, "symlink"],
  [0o140000, "socket"],
]);

/** By the mode of stat(2). */
export function kindOf(mode: number): FileKind {
  // Deviation: FIFOs of a host folder are devices that nobody can open.
  return kinds.get(mode & FORMAT) ?? "device";
}

const self = process.geteuid?.();
const groups = new Set([process.getegid?.(), ...(process.getgroups?.() ?? [])]);

/** Whether this process may read a file of that mode and owner. */
export function canRead(mode: number, uid: number, gid: number): boolean {
  if (self === undefined || self === 0) return true;
  if (self === uid) return (mode & 0o400) !== 0;
  return (mode & (groups.has(gid) ? 0o040 : 0o004)) !== 0;
}
