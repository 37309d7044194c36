import {
  type Attributes,
  type DirectoryName,
  type DirectoryPage,
  type FileSystem,
  type Follower,
  type Inode,
  KernelError,
  type NewFile,
  type OpenFile,
  type OutsideChange,
  type Stat,
  type StatFs,
} from "../../../kernel/index.ts";
import type { Disk } from "./disk.ts";
import type { HeldName, HostOwner } from "./disk-changes.ts";
import type { SurveyPage } from "./disk-surveys.ts";
import { FileWatch, WatchBudget } from "./file-watch.ts";
import { FolderFollower } from "./folder-follower.ts";
import { HeldFiles, HostFile } from "./held-files.ts";
import type { FileFacts } from "./reach.ts";
import { canReachByFd, ReachByFd } from "./reach-by-fd.ts";
import { SLOT_BYTES } from "./read-slots.ts";
import { factsAt } from "./survey-rows.ts";

export type HostFolderOptions = {
  /** A directory that is there. */
  readonly path: string;
} & (
  | { readonly isReadOnly: true }
  | {
      readonly isReadOnly?: false;
      /** Who new files belong to on the host, where that is not the server. */
      readonly owner?: HostOwner;
      /** What is added through this file system at most; more fails with ENOSPC. */
      readonly limitBytes: number;
    }
);

/** The user of a VM, see the image's /etc/passwd: to it belongs all that can be written. */
const VM_OWNER = { uid: 1000, gid: 1000 } as const;
const ROOT = { uid: 0, gid: 0 } as const;
/** What an empty file takes, and the unit of stat's blocks. */
const FILE_BYTES = 4096;
const BLOCK_BYTES = 512;
/** Linux's LLONG_MAX is more; above this numbers are not exact. */
const SIZE_LIMIT = Number.MAX_SAFE_INTEGER;
/** Set-id bits would lend the server's user, or the sandbox's, to whoever runs the file on the host. */
const FILE_MODE = 0o1777;
/** A file that is found to be read comes with its content if it has at most so much. */
const CONTENT_BYTES = 1 << 18;

/**
 * A folder of this host, which others use at the same time and may mean harm. Links are never followed here: the VM's
 * kernel follows them in the VM's own tree. Special files cannot be opened. Times, links and hard links are true.
 *
 * Owners are not the host's. In a folder that can be written to, all is the VM's user's, with the host's modes. One
 * that is read-only is root's: everybody may read what the server can read, and run what anybody on the host can.
 *
 * A file that somebody moved outside fails with ESTALE until it is looked up again, unless it is held.
 */
export class HostFolder implements FileSystem {
  readonly type = "host-folder";
  readonly isReadOnly: boolean;
  readonly root: HostFile;
  readonly #disk: Disk;
  readonly #files: HeldFiles;
  readonly #owner: HostOwner | undefined;
  readonly #limitBytes: number;
  readonly #watchBudget = new WatchBudget();
  #addedBytes = 0;
  #listing: Promise<unknown> = Promise.resolve();

  private constructor(disk: Disk, files: HeldFiles, options: HostFolderOptions) {
    this.#disk = disk;
    this.#files = files;
    this.root = files.root;
    this.isReadOnly = options.isReadOnly === true;
    this.#owner = options.isReadOnly === true ? undefined : ownerOf(options.owner);
    this.#limitBytes = options.isReadOnly === true ? 0 : options.limitBytes;
  }

  /** KernelError: ENOENT, ENOTDIR, EACCES; ENOTSUP for one that is to be written to where there is no Linux. */
  static async open(disk: Disk, options: HostFolderOptions): Promise<HostFolder> {
    if (options.isReadOnly !== true && !canReachByFd()) {
      throw new KernelError("ENOTSUP", undefined, "host folders can be written to on Linux only");
    }
    const root = await disk.call("openRoot", { path: options.path });
    return new HostFolder(disk, new HeldFiles(disk, root), options);
  }

  /** Gives back what is held; calls fail from then on. */
  async close(): Promise<void> {
    await this.#files.close();
  }

  async lookup(directory: Inode, name: string, isToRead = false): Promise<Inode | undefined> {
    const parent = own(directory);
    const contentBytes = isToRead ? CONTENT_BYTES : 0;
    try {
      const held = await this.#files.use(parent, (fd) =>
        this.#disk.call("find", { directory: fd, name, contentBytes }),
      );
      return held === undefined ? undefined : this.#files.take(held, parent, name);
    } catch (error) {
      if (error instanceof KernelError && error.errno === "ESTALE") return undefined;
      throw error;
    }
  }

  async stat(inode: Inode): Promise<Stat> {
    const file = own(inode);
    if (file.seen?.turn === this.#disk.turn) return this.#show(file.seen.facts);
    return this.#statAnew(file);
  }

  async #statAnew(file: HostFile): Promise<Stat> {
    return this.#show(await this.#files.use(file, (fd) => this.#disk.call("stat", { fd })));
  }

  async readlink(inode: Inode): Promise<string> {
    const file = own(inode);
    if (file.kind !== "symlink") throw new KernelError("EINVAL");
    return this.#at(file.parent, file.name, (at) =>
      this.#disk.call("readLink", { ...at, identity: file.identity }),
    );
  }

  /** One at a time: whoever lists large directories shares the disk's thread with others. */
  async list(directory: Inode, cursor: number, limit: number): Promise<DirectoryPage> {
    const page = await this.#survey(own(directory), { cursor, limit });
    const entries = page.rows.names.map((name, row) => {
      const { kind, ino } = factsAt(page.rows, row);
      return { name, kind, ino };
    });
    return { entries, cursor: page.cursor };
  }

  follow(): Follower {
    return new FolderFollower({
      disk: this.#disk,
      files: this.#files,
      survey: (directory, page, follower) => this.#survey(directory, page, follower),
      inTurn: (list) => this.#inTurn(list),
      show: (facts) => this.#show(facts),
    });
  }

  async read(inode: Inode, into: Uint8Array, offset: number): Promise<number> {
    const file = own(inode);
    const { seen } = file;
    if (seen?.turn === this.#disk.turn && seen.content !== undefined) {
      const part = seen.content.subarray(offset, offset + into.length);
      into.set(part);
      return part.length;
    }
    let done = 0;
    while (done < into.length) {
      const rest = into.subarray(done);
      const at = offset + done;
      const count = await this.#files.use(file, (fd) => this.#disk.read(fd, rest, at));
      done += count;
      if (count < Math.min(rest.length, SLOT_BYTES)) break;
    }
    return done;
  }

  async write(inode: Inode, from: Uint8Array, offset: number | "end"): Promise<number> {
    this.#requireWritable();
    requireSize(offset === "end" ? from.length : offset + from.length);
    this.#requireRoom(from.length);
    // A copy, whatever it is: a Buffer's own slice is none, and the copy changes hands.
    const bytes = new Uint8Array(from);
    const grown = await this.#files.use(own(inode), (fd) =>
      this.#disk.call("write", { fd, bytes, offset }, [bytes.buffer]),
    );
    this.#add(grown.grownBlocks * BLOCK_BYTES);
    return grown.offset;
  }

  async truncate(inode: Inode, sizeBytes: number): Promise<void> {
    this.#requireWritable();
    requireSize(sizeBytes);
    const { grownBlocks } = await this.#files.use(own(inode), (fd) =>
      this.#disk.call("truncate", { fd, size: sizeBytes }),
    );
    this.#add(grownBlocks * BLOCK_BYTES);
  }

  async openDevice(): Promise<OpenFile> {
    throw new KernelError("EACCES", undefined, "a special file of the host");
  }

  async create({ directory, name }: DirectoryName, file: NewFile): Promise<Inode> {
    this.#requireWritable();
    const { kind, target = "" } = file;
    if (kind !== "file" && kind !== "directory" && kind !== "symlink") {
      throw new KernelError("EPERM", undefined, "special files are not made in a host folder");
    }
    this.#requireRoom(FILE_BYTES);
    const mode = file.mode & (kind === "directory" ? 0o7777 : FILE_MODE);
    const parent = own(directory);
    const held = await this.#at(parent, name, (at) =>
      this.#disk.call("create", { ...at, kind, mode, target, owner: this.#owner }),
    );
    this.#add(FILE_BYTES);
    return this.#files.take(held, parent, name);
  }

  async link({ directory, name }: DirectoryName, inode: Inode): Promise<void> {
    this.#requireWritable();
    const file = own(inode);
    await this.#at(file.parent, file.name, (from) =>
      this.#at(own(directory), name, (to) =>
        this.#disk.call("link", { from, to, identity: file.identity }),
      ),
    );
    file.parent = own(directory);
    file.name = name;
  }

  async unlink({ directory, name }: DirectoryName): Promise<void> {
    this.#requireWritable();
    const blocks = await this.#at(own(directory), name, (at) => this.#disk.call("unlink", at));
    this.#add(-FILE_BYTES - blocks * BLOCK_BYTES);
  }

  async rmdir({ directory, name }: DirectoryName): Promise<void> {
    this.#requireWritable();
    await this.#at(own(directory), name, (at) => this.#disk.call("rmdir", at));
    this.#add(-FILE_BYTES);
  }

  async rename(from: DirectoryName, to: DirectoryName, expected?: Inode): Promise<void> {
    this.#requireWritable();
    const identity = expected === undefined ? undefined : own(expected).identity;
    await this.#at(own(from.directory), from.name, (source) =>
      this.#at(own(to.directory), to.name, (target) =>
        this.#disk.call("rename", { from: source, to: target, identity }),
      ),
    );
    // The moved file is told its new name.
    await this.lookup(to.directory, to.name);
  }

  async setAttributes(inode: Inode, changes: Attributes): Promise<void> {
    this.#requireWritable();
    const { mode, uid = VM_OWNER.uid, gid = VM_OWNER.gid, ...times } = changes;
    if (uid !== VM_OWNER.uid || gid !== VM_OWNER.gid) {
      throw new KernelError("EPERM", undefined, "all in this folder is the user's");
    }
    const file = own(inode);
    const kept = file.kind === "directory" ? 0o7777 : FILE_MODE;
    const wanted = { ...times, ...(mode === undefined ? {} : { mode: mode & kept }) };
    await this.#files.use(file, (fd) => this.#disk.call("change", { fd, changes: wanted }));
  }

  async statFs(): Promise<StatFs> {
    const facts = await this.#files.use(this.root, (fd) => this.#disk.call("statFs", { fd }));
    if (this.isReadOnly) return { type: this.type, ...facts, freeBytes: 0, freeInodes: 0 };
    const room = Math.max(0, this.#limitBytes - this.#addedBytes);
    const totalBytes = Math.min(facts.totalBytes, this.#limitBytes);
    const freeBytes = Math.min(facts.freeBytes, room);
    return { type: this.type, ...facts, totalBytes, freeBytes };
  }

  /** What is acknowledged is with the host's kernel: it outlives this process. */
  async sync(): Promise<void> {}

  retain(inode: Inode): void {
    this.#files.retain(own(inode));
  }

  release(inode: Inode): void {
    this.#files.release(own(inode));
  }

  watch(inode: Inode, tell: (change: OutsideChange) => void): () => void {
    const file = own(inode);
    // What was seen of it before counts for nothing.
    const findNamed = async (): Promise<Inode | undefined> =>
      (await this.#statAnew(file)).nlink > 0 ? file : undefined;
    const watch = new FileWatch({
      kind: file.kind,
      budget: this.#watchBudget,
      withPath: (use) => this.#files.use(file, async (fd) => use(watchedPath(fd))),
      find: (name) => (name === "" ? findNamed() : this.lookup(file, name)),
      tell,
    });
    this.#files.retain(file);
    watch.begin();
    return () => {
      watch.end();
      this.#files.release(file);
    };
  }

  /** Calls with a name in a directory that is held meanwhile. ENOENT when the directory is gone. */
  async #at<T>(
    directory: HostFile | undefined,
    name: string,
    step: (at: HeldName) => Promise<T>,
  ): Promise<T> {
    if (directory === undefined) throw new KernelError("EBUSY");
    return this.#files.use(directory, (fd) => step({ directory: fd, name }));
  }

  async #survey(
    directory: HostFile,
    page: { readonly cursor: number; readonly limit: number },
    follower?: number,
  ): Promise<SurveyPage> {
    const { identity } = directory;
    return this.#inTurn(() =>
      this.#files.use(directory, (fd) =>
        this.#disk.call("survey", { fd, identity, ...page, follower }),
      ),
    );
  }

  /** Listings are done one after the other: others have the disk's thread in between. */
  #inTurn<T>(list: () => Promise<T>): Promise<T> {
    const listed = this.#listing.then(list);
    this.#listing = listed.catch(() => undefined);
    return listed;
  }

  /** What the VM is told of a file. */
  #show(facts: FileFacts): Stat {
    const { uid, gid } = this.isReadOnly ? ROOT : VM_OWNER;
    return {
      kind: facts.kind,
      mode: this.isReadOnly ? sharedMode(facts) : facts.mode,
      uid,
      gid,
      size: facts.size,
      nlink: facts.nlink,
      ino: facts.ino,
      dev: 0,
      rdev: 0,
      blocks: facts.blocks,
      atimeMs: facts.atimeMs,
      mtimeMs: facts.mtimeMs,
      ctimeMs: facts.ctimeMs,
    };
  }

  #requireWritable(): void {
    if (this.isReadOnly) throw new KernelError("EROFS");
  }

  #requireRoom(bytes: number): void {
    if (this.#addedBytes + bytes <= this.#limitBytes) return;
    const reason = `a VM adds at most ${this.#limitBytes} bytes to this folder`;
    throw new KernelError("ENOSPC", undefined, reason);
  }

  #add(bytes: number): void {
    this.#addedBytes = Math.max(0, this.#addedBytes + bytes);
  }
}

/** Only root can give files away; the server's own user needs not be told. */
function ownerOf(owner: HostOwner | undefined): HostOwner | undefined {
  return process.geteuid?.() === 0 ? owner : undefined;
}

/** What everybody in the VM may do. The host's owners are not the VM's, so its set-id bits mean nothing there. */
function sharedMode({ kind, mode, isReadable }: FileFacts): number {
  if (kind === "symlink") return 0o777;
  const isStored = kind === "directory" || kind === "file";
  if (!isStored || !isReadable) return 0;
  return kind === "directory" || (mode & 0o111) !== 0 ? 0o755 : 0o644;
}

function watchedPath(fd: number): string {
  if (!canReachByFd()) throw new KernelError("ENOTSUP");
  return new ReachByFd().itself(fd);
}

function requireSize(bytes: number): void {
  if (bytes > SIZE_LIMIT) throw new KernelError("EFBIG");
}

function own(inode: Inode): HostFile {
  if (!(inode instanceof HostFile)) throw new KernelError("EXDEV");
  return inode;
}
