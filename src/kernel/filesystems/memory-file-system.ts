import { KernelError } from "../abi/kernel-error.ts";
import type { Rights, Stat, StatFs } from "../abi/stat.ts";
import type { Answer } from "../answer.ts";
import type { OpenFile } from "../fd/open-file.ts";
import type { Limits } from "../limits/limits.ts";
import type {
  Attributes,
  DirectoryName,
  DirectoryPage,
  FileSystem,
  Inode,
  NewFile,
} from "../vfs/file-system.ts";
import { Charges } from "./memory/charges.ts";
import { MemoryInode } from "./memory/memory-inode.ts";
import { planRename } from "./memory/rename.ts";
import { type SeedEntry, seedTree } from "./memory/seed.ts";

export interface MemoryFileSystemOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What files count against; without it only maxFileBytes holds, at its default. */
  readonly limits?: Limits;
  /** Mode and owner of the root directory: 755, root. */
  readonly rootMode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly isReadOnly?: boolean;
  readonly type?: string;
}

/**
 * Files held in memory, as tmpfs holds them.
 *
 * Counts page bytes against maxFilesystemBytes and files and further names against maxInodeCount,
 * and gives both back with the last name and the last holder. Files that an image was seeded with
 * cost only what is written into them. Every call runs without waiting, so each is atomic.
 */
export class MemoryFileSystem implements FileSystem {
  readonly type: string;
  readonly isReadOnly: boolean;
  readonly root: MemoryInode;
  readonly #now: () => number;
  readonly #charges: Charges;
  #nextIno = 1;

  constructor(options: MemoryFileSystemOptions) {
    this.type = options.type ?? "memory";
    this.isReadOnly = options.isReadOnly ?? false;
    this.#now = options.now;
    this.#charges = new Charges(options.limits);
    const { uid = 0, gid = 0 } = options;
    this.root = this.#make({ kind: "directory", mode: options.rootMode ?? 0o755, uid, gid });
    this.root.names = 1;
    this.root.freeNames = 1;
  }

  /**
   * Fills the file system before its VM starts; a read-only one, too. Fails with EEXIST for a path
   * given twice, unless it is a directory: then the later attributes hold.
   */
  seed(entries: Iterable<SeedEntry>): void {
    seedTree(this.root, entries, (file) => this.#make(file));
  }

  lookup(directory: Inode, name: string): Answer<MemoryInode | undefined> {
    return own(directory).entries.find(name);
  }

  stat(inode: Inode): Answer<Stat> {
    return own(inode).stat();
  }

  rights(inode: Inode): Rights {
    return own(inode);
  }

  async readlink(inode: Inode): Promise<string> {
    const link = own(inode);
    if (link.kind !== "symlink") throw new KernelError("EINVAL");
    this.#accessed(link);
    return link.target;
  }

  async list(directory: Inode, cursor: number, limit: number): Promise<DirectoryPage> {
    const listed = own(directory);
    this.#accessed(listed);
    const page = listed.entries.page(cursor, limit);
    const entries = page.entries.map(({ name, inode: { kind, ino } }) => ({ name, kind, ino }));
    return { entries, cursor: page.cursor };
  }

  read(inode: Inode, into: Uint8Array, offset: number): Answer<number> {
    const file = regular(inode);
    if (into.length > 0) this.#accessed(file);
    return file.content.read(into, offset);
  }

  // Deviation: a write that does not fit writes nothing; Linux writes the part that fits.
  async write(inode: Inode, from: Uint8Array, offset: number | "end"): Promise<number> {
    const file = this.#changing(regular(inode));
    const start = offset === "end" ? file.content.sizeBytes : offset;
    if (from.length === 0) return start;
    this.#charges.write(file, start, from.length);
    file.content.write(from, start);
    this.#modified(file);
    return start + from.length;
  }

  async truncate(inode: Inode, sizeBytes: number): Promise<void> {
    const file = this.#changing(regular(inode));
    this.#charges.truncate(file, sizeBytes);
    this.#modified(file);
  }

  async openDevice(_inode: Inode, _flags: number): Promise<OpenFile> {
    throw new KernelError("ENXIO");
  }

  async create(at: DirectoryName, file: NewFile): Promise<MemoryInode> {
    const directory = this.#changingDirectory(at);
    if (directory.entries.find(at.name) !== undefined) throw new KernelError("EEXIST");
    this.#charges.newFile(file);
    const inode = this.#make(file);
    directory.enter(at.name, inode);
    this.#modified(directory);
    return inode;
  }

  async link(at: DirectoryName, inode: Inode): Promise<void> {
    const file = own(inode);
    const directory = this.#changingDirectory(at);
    if (directory.entries.find(at.name) !== undefined) throw new KernelError("EEXIST");
    if (file.isDirectory) throw new KernelError("EPERM");
    if (file.names === 0) throw new KernelError("ENOENT");
    if (file.names >= MOST_NAMES) throw new KernelError("EMLINK");
    this.#charges.newName();
    directory.enter(at.name, file);
    file.ctimeMs = this.#now();
    this.#modified(directory);
  }

  async unlink(at: DirectoryName): Promise<void> {
    const directory = this.#changingDirectory(at);
    const file = directory.entries.find(at.name);
    if (file === undefined) throw new KernelError("ENOENT");
    if (file.isDirectory) throw new KernelError("EISDIR");
    this.#remove(directory, at.name, file);
    this.#modified(directory);
  }

  async rmdir(at: DirectoryName): Promise<void> {
    const directory = this.#changingDirectory(at);
    const removed = directory.entries.find(at.name);
    if (removed === undefined) throw new KernelError("ENOENT");
    if (!removed.isDirectory) throw new KernelError("ENOTDIR");
    if (!removed.isEmpty) throw new KernelError("ENOTEMPTY");
    this.#remove(directory, at.name, removed);
    this.#modified(directory);
  }

  async rename(from: DirectoryName, to: DirectoryName, expected?: Inode): Promise<void> {
    const source = this.#changingDirectory(from);
    const destination = this.#changingDirectory(to);
    const isOther = expected !== undefined && source.entries.find(from.name) !== expected;
    if (isOther) throw new KernelError("ENOENT");
    const plan = planRename(
      { directory: source, name: from.name },
      { directory: destination, name: to.name },
    );
    if (plan === undefined) return;
    const { moved, replaced } = plan;
    source.entries.delete(from.name);
    if (moved.isDirectory) source.subdirectories -= 1;
    if (replaced?.isDirectory) destination.subdirectories -= 1;
    moved.names -= 1;
    destination.enter(to.name, moved);
    if (replaced !== undefined) this.#dropName(replaced);
    moved.ctimeMs = this.#now();
    this.#modified(source);
    this.#modified(destination);
  }

  async setAttributes(inode: Inode, changes: Attributes): Promise<void> {
    const file = this.#changing(own(inode));
    file.mode = changes.mode ?? file.mode;
    file.uid = changes.uid ?? file.uid;
    file.gid = changes.gid ?? file.gid;
    file.atimeMs = changes.atimeMs ?? file.atimeMs;
    file.mtimeMs = changes.mtimeMs ?? file.mtimeMs;
    file.ctimeMs = this.#now();
  }

  async statFs(): Promise<StatFs> {
    const { limits } = this.#charges;
    const { maxFilesystemBytes, maxInodeCount } = limits.values;
    return {
      type: this.type,
      blockSize: 4096,
      totalBytes: maxFilesystemBytes,
      freeBytes: maxFilesystemBytes - limits.used("maxFilesystemBytes"),
      totalInodes: maxInodeCount,
      freeInodes: maxInodeCount - limits.used("maxInodeCount"),
    };
  }

  async sync(): Promise<void> {}

  retain(inode: Inode): void {
    this.#charges.addHolder(own(inode));
  }

  release(inode: Inode): void {
    this.#charges.dropHolder(own(inode));
  }

  unmounted(): void {
    this.#charges.giveBack();
  }

  #make(file: NewFile): MemoryInode {
    return new MemoryInode(this.#nextIno++, file, this.#now());
  }

  #remove(directory: MemoryInode, name: string, inode: MemoryInode): void {
    directory.entries.delete(name);
    if (inode.isDirectory) directory.subdirectories -= 1;
    this.#dropName(inode);
  }

  #dropName(inode: MemoryInode): void {
    inode.ctimeMs = this.#now();
    this.#charges.dropName(inode);
  }

  #changing(inode: MemoryInode): MemoryInode {
    if (this.isReadOnly) throw new KernelError("EROFS");
    if (inode.isGone) throw new KernelError("ESTALE");
    return inode;
  }

  #changingDirectory(at: DirectoryName): MemoryInode {
    if (this.isReadOnly) throw new KernelError("EROFS");
    const directory = own(at.directory);
    if (directory.names === 0) throw new KernelError("ENOENT");
    return directory;
  }

  #modified(inode: MemoryInode): void {
    inode.mtimeMs = this.#now();
    inode.ctimeMs = inode.mtimeMs;
  }

  /** As Linux's default, relatime: see mount(8). */
  #accessed(inode: MemoryInode): void {
    if (this.isReadOnly) return;
    const nowMs = this.#now();
    const isNews = inode.atimeMs <= Math.max(inode.mtimeMs, inode.ctimeMs);
    if (isNews || nowMs - inode.atimeMs >= DAY_MS) inode.atimeMs = nowMs;
  }
}

/** ext4's EXT4_LINK_MAX; directories hold any number of subdirectories. */
const MOST_NAMES = 65_000;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The VFS gives a driver only inodes that came from it. */
function own(inode: Inode): MemoryInode {
  if (inode instanceof MemoryInode) return inode;
  throw new TypeError("the inode is another file system's");
}

function regular(inode: Inode): MemoryInode {
  const file = own(inode);
  if (file.isDirectory) throw new KernelError("EISDIR");
  if (file.kind !== "file") throw new KernelError("EINVAL");
  return file;
}
