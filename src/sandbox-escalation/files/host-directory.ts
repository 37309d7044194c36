import {
  type Attributes,
  type DirectoryName,
  type DirectoryPage,
  type FileSystem,
  type Inode,
  KernelError,
  type NewFile,
  type OpenFile,
  type OutsideChange,
  type Stat,
  type StatFs,
} from "../../kernel/index.ts";
import { SandboxError } from "../provider.ts";
import type { Disk } from "./disk.ts";
import type { HeldName, HostOwner } from "./disk-calls.ts";
import { FileWatch, WatchBudget } from "./file-watch.ts";
import { HeldFiles, HostFile } from "./held-files.ts";
import { canReachByFd, type FileFacts } from "./reach-by-fd.ts";
import { SLOT_BYTES } from "./read-slots.ts";

export interface HostDirectoryOptions {
  /** A directory that is there. */
  readonly path: string;
  /** Who new files belong to on the host, where that is not the server: the sandbox's own user. */
  readonly owner?: HostOwner;
  /** What is added through this file system at most; more fails with ENOSPC. */
  readonly limitBytes: number;
}

/** The user of a VM, see the image's /etc/passwd: to it belongs all that is shared. */
const VM_OWNER = { uid: 1000, gid: 1000 } as const;
/** What an empty file takes, and the unit of stat's blocks. */
const FILE_BYTES = 4096;
const BLOCK_BYTES = 512;
/** Linux's LLONG_MAX is more; above this numbers are not exact. */
const SIZE_LIMIT = Number.MAX_SAFE_INTEGER;
/** Set-id bits would lend the server's user, or the sandbox's, to whoever runs the file on the host. */
const FILE_MODE = 0o1777;

/**
 * A directory of this host that processes of a sandbox use at the same time, and may mean harm. Links are
 * never followed here: the VM's kernel follows them in the VM's own tree. Special files cannot be opened.
 * Modes, times, links and hard links are true; owners are not: all is the VM's user's.
 *
 * A file that somebody moved outside fails with ESTALE until it is looked up again, unless it is held.
 */
export class HostDirectory implements FileSystem {
  readonly type = "host-directory";
  readonly isReadOnly = false;
  readonly root: HostFile;
  readonly #disk: Disk;
  readonly #files: HeldFiles;
  readonly #owner: HostOwner | undefined;
  readonly #limitBytes: number;
  #addedBytes = 0;
  #listing: Promise<void> = Promise.resolve();
  readonly #watchBudget = new WatchBudget();

  private constructor(disk: Disk, files: HeldFiles, options: HostDirectoryOptions) {
    this.#disk = disk;
    this.#files = files;
    this.root = files.root;
    this.#owner = ownerOf(options.owner);
    this.#limitBytes = options.limitBytes;
  }

  /** KernelError: ENOENT, ENOTDIR, EACCES. SandboxError "unsupported" where there is no Linux. */
  static async open(disk: Disk, options: HostDirectoryOptions): Promise<HostDirectory> {
    if (!canReachByFd()) {
      throw new SandboxError("unsupported", "Directories are shared with sandboxes on Linux only.");
    }
    const root = await disk.call("openRoot", { path: options.path });
    return new HostDirectory(disk, new HeldFiles(disk, root), options);
  }

  /** Gives back what is held; calls fail from then on. */
  async close(): Promise<void> {
    await this.#files.close();
  }

  async lookup(directory: Inode, name: string): Promise<Inode | undefined> {
    const parent = own(directory);
    try {
      const held = await this.#files.use(parent, (fd) =>
        this.#disk.call("find", { directory: fd, name }),
      );
      return held === undefined ? undefined : this.#files.take(held, parent, name);
    } catch (error) {
      if (error instanceof KernelError && error.errno === "ESTALE") return undefined;
      throw error;
    }
  }

  async stat(inode: Inode): Promise<Stat> {
    const file = own(inode);
    if (file.seen?.turn === this.#disk.turn) return statOf(file.seen.facts);
    return this.#statAnew(file);
  }

  async #statAnew(file: HostFile): Promise<Stat> {
    return statOf(await this.#files.use(file, (fd) => this.#disk.call("stat", { fd })));
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
    const { identity } = own(directory);
    const listing = this.#listing.then(() =>
      this.#files.use(own(directory), (fd) =>
        this.#disk.call("list", { fd, identity, cursor, limit }),
      ),
    );
    this.#listing = listing.then(proceed, proceed);
    return listing;
  }

  async read(inode: Inode, into: Uint8Array, offset: number): Promise<number> {
    const file = own(inode);
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
    requireSize(sizeBytes);
    const { grownBlocks } = await this.#files.use(own(inode), (fd) =>
      this.#disk.call("truncate", { fd, size: sizeBytes }),
    );
    this.#add(grownBlocks * BLOCK_BYTES);
  }

  async openDevice(): Promise<OpenFile> {
    throw new KernelError("EACCES", undefined, "a special file of the sandbox");
  }

  async create({ directory, name }: DirectoryName, file: NewFile): Promise<Inode> {
    const { kind, target = "" } = file;
    if (kind !== "file" && kind !== "directory" && kind !== "symlink") {
      throw new KernelError("EPERM", undefined, "special files are not shared with a sandbox");
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
    const blocks = await this.#at(own(directory), name, (at) => this.#disk.call("unlink", at));
    this.#add(-FILE_BYTES - blocks * BLOCK_BYTES);
  }

  async rmdir({ directory, name }: DirectoryName): Promise<void> {
    await this.#at(own(directory), name, (at) => this.#disk.call("rmdir", at));
    this.#add(-FILE_BYTES);
  }

  async rename(from: DirectoryName, to: DirectoryName, expected?: Inode): Promise<void> {
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
    const { mode, uid = VM_OWNER.uid, gid = VM_OWNER.gid, ...times } = changes;
    if (uid !== VM_OWNER.uid || gid !== VM_OWNER.gid) {
      throw new KernelError("EPERM", undefined, "all that is shared with a sandbox is the user's");
    }
    const file = own(inode);
    const kept = file.kind === "directory" ? 0o7777 : FILE_MODE;
    const wanted = { ...times, ...(mode === undefined ? {} : { mode: mode & kept }) };
    await this.#files.use(file, (fd) => this.#disk.call("change", { fd, changes: wanted }));
  }

  async statFs(): Promise<StatFs> {
    const facts = await this.#files.use(this.root, (fd) => this.#disk.call("statFs", { fd }));
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
      withFd: (use) => this.#files.use(file, async (fd) => use(fd)),
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

  #requireRoom(bytes: number): void {
    if (this.#addedBytes + bytes <= this.#limitBytes) return;
    const reason = `a VM adds at most ${this.#limitBytes} bytes to a sandbox's files`;
    throw new KernelError("ENOSPC", undefined, reason);
  }

  #add(bytes: number): void {
    this.#addedBytes = Math.max(0, this.#addedBytes + bytes);
  }
}

function proceed(): void {}

/** Only root can give files away; the server's own user needs not be told. */
function ownerOf(owner: HostOwner | undefined): HostOwner | undefined {
  return process.geteuid?.() === 0 ? owner : undefined;
}

function statOf(facts: FileFacts): Stat {
  const { identity: _, ...rest } = facts;
  return { ...rest, ...VM_OWNER, dev: 0, rdev: 0 };
}

function requireSize(bytes: number): void {
  if (bytes > SIZE_LIMIT) throw new KernelError("EFBIG");
}

function own(inode: Inode): HostFile {
  if (!(inode instanceof HostFile)) throw new KernelError("EXDEV");
  return inode;
}
