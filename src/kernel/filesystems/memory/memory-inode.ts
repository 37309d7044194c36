import type { FileKind, Stat } from "../../abi/stat.ts";
import { copyText, encodeText } from "../../abi/text.ts";
import type { Inode, NewFile } from "../../vfs/file-system.ts";
import { DirectoryEntries } from "./directory-entries.ts";
import { FileContent } from "./file-content.ts";

/** One file of a MemoryFileSystem: its attributes, and its bytes, names or target. */
export class MemoryInode implements Inode {
  readonly ino: number;
  readonly kind: FileKind;
  readonly rdev: number;
  /** Where a symlink leads. */
  readonly target: string;
  mode: number;
  uid: number;
  gid: number;
  atimeMs: number;
  mtimeMs: number;
  ctimeMs: number;
  /** Names that lead here; a removed directory has none. */
  names = 0;
  /** Names that are not charged: those an image was seeded with. */
  freeNames = 0;
  holders = 0;
  /** Without names and holders: everything it was charged for is given back. */
  isGone = false;
  /** The directory a directory lies in. */
  parent: MemoryInode | undefined;
  subdirectories = 0;
  #content: FileContent | undefined;
  #entries: DirectoryEntries | undefined;

  constructor(ino: number, file: NewFile, nowMs: number) {
    this.ino = ino;
    this.kind = file.kind;
    this.rdev = file.rdev ?? 0;
    this.target = copyText(file.target ?? "");
    this.mode = file.mode;
    this.uid = file.uid;
    this.gid = file.gid;
    this.atimeMs = nowMs;
    this.mtimeMs = nowMs;
    this.ctimeMs = nowMs;
  }

  get content(): FileContent {
    this.#content ??= new FileContent();
    return this.#content;
  }

  set content(content: FileContent) {
    this.#content = content;
  }

  get entries(): DirectoryEntries {
    this.#entries ??= new DirectoryEntries();
    return this.#entries;
  }

  get isDirectory(): boolean {
    return this.kind === "directory";
  }

  get isEmpty(): boolean {
    return this.#entries === undefined || this.#entries.size === 0;
  }

  /** Gives a file a name in this directory; what had the name loses its place, not its count. */
  enter(name: string, inode: MemoryInode): void {
    this.entries.set(name, inode);
    inode.names += 1;
    if (!inode.isDirectory) return;
    this.subdirectories += 1;
    inode.parent = this;
  }

  /** What it counts of maxInodeCount: itself and, as tmpfs does, each further name. */
  get inodeCost(): number {
    if (this.isGone) return 0;
    return Math.max(0, Math.max(this.names, 1) - this.freeNames);
  }

  /** What it counts of maxFilesystemBytes: pages of content, or a target too long for an inode. */
  get heldBytes(): number {
    if (this.kind === "symlink") return targetBytes(this.target);
    return this.#content?.heldBytes ?? 0;
  }

  get nlink(): number {
    if (!this.isDirectory) return this.names;
    return this.names === 0 ? 0 : 2 + this.subdirectories;
  }

  stat(): Stat {
    return {
      kind: this.kind,
      mode: this.mode,
      uid: this.uid,
      gid: this.gid,
      size: this.#sizeBytes(),
      nlink: this.nlink,
      ino: this.ino,
      dev: 0,
      rdev: this.rdev,
      blocks: this.heldBytes / 512,
      atimeMs: this.atimeMs,
      mtimeMs: this.mtimeMs,
      ctimeMs: this.ctimeMs,
    };
  }

  #sizeBytes(): number {
    if (this.isDirectory) return DIRECTORY_BYTES;
    if (this.kind === "symlink") return encodeText(this.target).length;
    return this.#content?.sizeBytes ?? 0;
  }
}

/** Bytes charged for a symlink: none while it fits into the inode, else whole blocks. */
export function targetBytes(target: string): number {
  if (target.length * MOST_BYTES_PER_UNIT < LONG_TARGET_BYTES) return 0;
  const bytes = encodeText(target).length;
  return bytes < LONG_TARGET_BYTES ? 0 : Math.ceil(bytes / 512) * 512;
}

/** As ext4 shows an ordinary directory. */
const DIRECTORY_BYTES = 4096;

/** tmpfs keeps shorter targets in the inode: SHORT_SYMLINK_LEN in mm/shmem.c. */
const LONG_TARGET_BYTES = 128;

/** UTF-8 needs at most three bytes for each UTF-16 unit. */
const MOST_BYTES_PER_UNIT = 3;
