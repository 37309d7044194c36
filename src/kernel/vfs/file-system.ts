import type { DirectoryEntry, FileKind, Rights, Stat, StatFs } from "../abi/stat.ts";
import type { Answer } from "../answer.ts";
import type { OpenFile } from "../fd/open-file.ts";
import type { Follower } from "./follower.ts";
import type { Place } from "./place.ts";

/**
 * One file as its file system knows it. Two lookups of the same file give the same object, as long
 * as anybody may hold it: identity is what locks, watches and mounts go by.
 */
export interface Inode {
  readonly ino: number;
  readonly kind: FileKind;
}

/** What a new file starts with. */
export interface NewFile {
  readonly kind: FileKind;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Where a symlink leads. */
  readonly target?: string;
  /** Major and minor number of a device. */
  readonly rdev?: number;
}

/** Changes of a file's attributes; what is left out stays. Each change moves ctime. */
export interface Attributes {
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly atimeMs?: number;
  readonly mtimeMs?: number;
}

/** A name in a directory. */
export interface DirectoryName {
  readonly directory: Inode;
  readonly name: string;
}

/** What a magic link leads to. */
export type MagicTarget = { readonly file: OpenFile } | { readonly place: Place };

/** What somebody outside did to a watched file or directory. */
export interface OutsideChange {
  readonly kind: "created" | "removed" | "changed";
  /** In the watched directory; empty for the watched file itself. */
  readonly name: string;
  readonly isDirectory: boolean;
}

/** A page of a directory: `cursor` continues it; undefined at the end. */
export interface DirectoryPage {
  readonly entries: readonly DirectoryEntry[];
  readonly cursor: number | undefined;
}

/**
 * A file system driver. Only `vfs/` calls it: who may do what is decided before.
 *
 * Names are single components, never empty, `.` or `..`, at most 255 bytes and free of `/` and NUL.
 * Each call is atomic: it has happened wholly or, failing with a KernelError, not at all. A driver
 * that cannot do a thing fails it with ENOTSUP, a read-only one every change with EROFS.
 * The directory given may have been removed meanwhile: lookups in it find nothing, changes fail
 * with ENOENT. Calls that need a directory are never given anything else.
 */
export interface FileSystem {
  /** Shown in /proc/mounts, e.g. "memory". */
  readonly type: string;
  readonly isReadOnly: boolean;
  readonly root: Inode;

  /** `isToRead`: its content is wanted next; a driver that has to fetch may fetch that, too. */
  lookup(directory: Inode, name: string, isToRead?: boolean): Answer<Inode | undefined>;
  /** `dev` is set by the VFS; drivers answer 0. */
  stat(inode: Inode): Answer<Stat>;
  /** Who may use it, where that is known without waiting: what every walk asks of each directory. */
  rights?(inode: Inode): Rights | undefined;
  /** `callerPid` is for file systems that answer each process differently, as /proc/self does. */
  readlink(inode: Inode, callerPid: number): Promise<string>;
  /** A link that leads to an object, not to a path, as /proc/self/fd/3 does. EACCES. */
  followMagicLink?(inode: Inode, callerPid: number): MagicTarget | undefined;
  /**
   * Entries from `cursor` (0 at first) on, at most `limit`. An entry that exists throughout a
   * listing is listed exactly once, whatever is added or removed meanwhile.
   */
  list(directory: Inode, cursor: number, limit: number): Promise<DirectoryPage>;

  /** Reads at `offset` of a regular file; 0 at or past its end. */
  read(inode: Inode, into: Uint8Array, offset: number): Answer<number>;
  /** Writes all of `from` at `offset`, or at the end; answers the offset after it. ENOSPC, EFBIG. */
  write(inode: Inode, from: Uint8Array, offset: number | "end"): Promise<number>;
  /** Cuts or extends with a hole. EFBIG. */
  truncate(inode: Inode, sizeBytes: number): Promise<void>;
  /** What is opened for a device; other kinds never come here. ENXIO where nothing is behind it. */
  openDevice(inode: Inode, flags: number): Promise<OpenFile>;

  /** EEXIST when the name is taken; ENOSPC. The parent's setgid bit is the VFS's business. */
  create(at: DirectoryName, file: NewFile): Promise<Inode>;
  /** A second name for a file that is not a directory. EEXIST, EMLINK. */
  link(at: DirectoryName, inode: Inode): Promise<void>;
  /** Removes a name that is not a directory's. ENOENT, EISDIR. */
  unlink(at: DirectoryName): Promise<void>;
  /** ENOENT, ENOTDIR, ENOTEMPTY. */
  rmdir(at: DirectoryName): Promise<void>;
  /**
   * Moves a name, replacing what is there as rename(2) does: ENOENT, EISDIR, ENOTDIR, ENOTEMPTY,
   * EINVAL for a directory into itself. Two names of one file: nothing happens. ENOENT, too, when
   * the name leads by now to another file than `expected`.
   */
  rename(from: DirectoryName, to: DirectoryName, expected?: Inode): Promise<void>;
  setAttributes(inode: Inode, changes: Attributes): Promise<void>;

  statFs(): Promise<StatFs>;
  /** Returns when everything acknowledged is where the driver keeps it. */
  sync(): Promise<void>;
  /** Counts holders of an inode beyond its names: content of an unlinked file lives until the last. */
  retain(inode: Inode): void;
  release(inode: Inode): void;
  /**
   * Tells of changes that others than this VM make to a file or in a directory, until the answer is called.
   * Left out where nobody else can change anything. Changes of this VM may be told as well.
   */
  watch?(inode: Inode, tell: (change: OutsideChange) => void): () => void;
  /** For one who keeps a picture of directories. Left out where files are asked for one by one. */
  follow?(): Follower;
  /** Its last mount is gone and nothing of it is open: it gives back what it was charged for. */
  unmounted?(): void;
}
