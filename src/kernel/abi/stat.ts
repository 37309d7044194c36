/** File kinds and modes of stat(2), Linux's numbers (linux/stat.h). */
export const S_IFMT = 0o170000;
export const S_IFIFO = 0o010000;
export const S_IFCHR = 0o020000;
export const S_IFDIR = 0o040000;
export const S_IFREG = 0o100000;
export const S_IFLNK = 0o120000;
export const S_IFSOCK = 0o140000;
export const S_ISUID = 0o4000;
export const S_ISGID = 0o2000;
export const S_ISVTX = 0o1000;
export const S_IXGRP = 0o010;

/** "anonymous" is what only descriptors lead to: an inotify instance. Its S_IF… bits are 0. */
export type FileKind =
  | "file"
  | "directory"
  | "symlink"
  | "fifo"
  | "device"
  | "socket"
  | "anonymous";

const formats = {
  file: S_IFREG,
  directory: S_IFDIR,
  symlink: S_IFLNK,
  fifo: S_IFIFO,
  device: S_IFCHR,
  socket: S_IFSOCK,
  anonymous: 0,
} as const satisfies Record<FileKind, number>;

/** The S_IF… bits of a kind of file. */
export function formatOf(kind: FileKind): number {
  return formats[kind];
}

/** `dev` of a stream whose other end is outside the VM; a pipe's is 0, a file system's is below. */
export const HOST_STREAM_DEVICE = 0xffff;

/** What stat(2) answers. Times are milliseconds since 1970, with fractions. */
export interface Stat {
  readonly kind: FileKind;
  /** Permission bits with the setuid, setgid and sticky bits, without the S_IF… part. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly nlink: number;
  readonly ino: number;
  /** Number of the file system, unique in the VM. */
  readonly dev: number;
  /** Major and minor number of a device, 0 elsewhere. */
  readonly rdev: number;
  /** Blocks of 512 bytes really held. */
  readonly blocks: number;
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** One entry as readdir gives it: `.` and `..` are not in it. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
  readonly ino: number;
}

/** What decides who may use a file. */
export type Rights = Pick<Stat, "kind" | "mode" | "uid" | "gid">;

/** What statfs(2) answers. */
export interface StatFs {
  readonly type: string;
  readonly blockSize: number;
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly totalInodes: number;
  readonly freeInodes: number;
}
