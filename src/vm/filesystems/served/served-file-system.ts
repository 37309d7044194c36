import {
  type Answer,
  type Attributes,
  type DirectoryName,
  type DirectoryPage,
  type FileSystem,
  type Inode,
  isKernelError,
  KernelError,
  type NewFile,
  type OpenFile,
  type OutsideChange,
  type Rights,
  type Stat,
  type StatFs,
} from "../../../kernel/index.ts";
import type { MountResult, ServedMount } from "../../wire/mount-requests.ts";
import { BLOCK_BYTES, type ContentCache } from "./content-cache.ts";
import { OutsideWatches } from "./outside-watches.ts";
import type { PictureCache } from "./picture-cache.ts";
import { ServedContent } from "./served-content.ts";
import { ServedDirectories } from "./served-directories.ts";
import { type AskServer, ServedFiles } from "./served-files.ts";
import type { ServedInode } from "./served-inode.ts";
import { writeParts } from "./write-parts.ts";

/** What is kept for all mounts of a VM. */
export interface ServedCaches {
  readonly pictures: PictureCache;
  readonly contents: ContentCache;
}

export interface ServedFileSystemParts {
  readonly mount: ServedMount;
  readonly ask: AskServer;
  readonly now: () => number;
  readonly outsideEpoch: () => number;
  readonly later: (act: () => void) => void;
  readonly caches: ServedCaches;
}

/**
 * A file system that the server has, in a VM. Directories are fetched whole, with the attributes of all in them; content
 * a little ahead. What is known is believed as long as the server follows it, or for a moment; writes are with the server
 * when they return. A server that refuses, fails or is late is an errno for the guest.
 */
export class ServedFileSystem implements FileSystem {
  readonly type: string;
  readonly isReadOnly: boolean;
  readonly root: ServedInode;
  readonly #files: ServedFiles;
  readonly #content: ServedContent;
  readonly #watches: OutsideWatches;
  readonly #directories: ServedDirectories;

  constructor({ mount, caches, ...parts }: ServedFileSystemParts) {
    this.type = mount.type;
    this.isReadOnly = mount.isReadOnly;
    const { pictures, contents } = caches;
    const files = new ServedFiles({ ...parts, rootIno: mount.rootIno, pictures });
    this.#files = files;
    this.root = files.root;
    this.#watches = new OutsideWatches(parts.now);
    const directories = new ServedDirectories({
      files,
      pictures,
      canFollow: mount.canFollow,
      contentBytes: BLOCK_BYTES,
      takeContent: (inode, bytes, asked) => this.#content.take(inode, bytes, asked),
      learned: (inode, before) => this.#content.revive(inode, before),
    });
    this.#directories = directories;
    this.#content = new ServedContent({ files, cache: contents });
  }

  lookup(directory: Inode, name: string, isToRead = false): Answer<Inode | undefined> {
    return this.#directories.lookup(own(directory), name, isToRead);
  }

  stat(inode: Inode): Answer<Stat> {
    const file = own(inode);
    const { known } = file;
    const isFresh = known === undefined ? false : this.#files.isFresh(file, known.stamp);
    if (known !== undefined && isFresh === true) return known.stat;
    if (isFresh === "unsure") return this.#files.hearChanges().then(() => this.stat(inode));
    return this.#askStat(file, known?.stat);
  }

  rights(inode: Inode): Rights | undefined {
    return this.#directories.findRights(own(inode));
  }

  async #askStat(file: ServedInode, last: Stat | undefined): Promise<Stat> {
    const asked = this.#files.asked();
    const { changes } = file;
    try {
      const request = () => ({ call: "stat", node: file.node }) as const;
      const { stat } = (await this.#files.ask([file], request)).value;
      if (stat === undefined) throw new KernelError("EIO");
      if (file.changes !== changes) return stat;
      this.#files.learn(file, stat, asked);
      this.#content.revive(file, last);
      return stat;
    } catch (error) {
      if (last === undefined || !isKernelError(error, "ESTALE")) throw error;
      // No name leads to it: as it was last seen.
      return { ...last, nlink: 0 };
    }
  }

  async readlink(inode: Inode): Promise<string> {
    const file = own(inode);
    if (file.kind !== "symlink") throw new KernelError("EINVAL");
    if (file.target !== undefined) return file.target;
    const request = () => ({ call: "readlink", node: file.node }) as const;
    file.target = (await this.#files.ask([file], request)).value.target ?? "";
    return file.target;
  }

  list(directory: Inode, cursor: number, limit: number): Promise<DirectoryPage> {
    return this.#directories.list(own(directory), cursor, limit);
  }

  read(inode: Inode, into: Uint8Array, offset: number): Answer<number> {
    return this.#content.read(own(inode), into, offset);
  }

  async write(inode: Inode, from: Uint8Array, offset: number | "end"): Promise<number> {
    const file = own(inode);
    return this.#changing(file, () =>
      writeParts((bytes, at) => this.#put(file, bytes, at), from, offset),
    );
  }

  async truncate(inode: Inode, sizeBytes: number): Promise<void> {
    const file = own(inode);
    await this.#changing(file, () =>
      this.#files.ask([file], () => ({ call: "truncate", node: file.node, size: sizeBytes })),
    );
  }

  /** What is behind a device of the server's stays there. */
  async openDevice(): Promise<OpenFile> {
    throw new KernelError("ENXIO", undefined, "a special file of the host");
  }

  async create({ directory, name }: DirectoryName, file: NewFile): Promise<Inode> {
    const parent = own(directory);
    const { kind, mode, uid, gid, target, rdev } = file;
    const wanted = { kind, mode, uid, gid, target, rdev };
    const value = await this.#naming([{ parent, name }], [], () => ({
      call: "create",
      at: { node: parent.node, name },
      file: wanted,
    }));
    const asked = this.#files.asked(parent);
    const made = this.#files.learnName({ parent, name, asked }, value.found);
    if (made === undefined) throw new KernelError("EIO");
    return made;
  }

  async link({ directory, name }: DirectoryName, inode: Inode): Promise<void> {
    const parent = own(directory);
    const file = own(inode);
    await this.#naming([{ parent, name }], [file], () => ({
      call: "link",
      at: { node: parent.node, name },
      node: file.node,
    }));
    file.parent = parent;
    file.name = name;
  }

  async unlink(at: DirectoryName): Promise<void> {
    await this.#remove("unlink", at);
  }

  async rmdir(at: DirectoryName): Promise<void> {
    await this.#remove("rmdir", at);
  }

  async rename(from: DirectoryName, to: DirectoryName, expected?: Inode): Promise<void> {
    const source = own(from.directory);
    const target = own(to.directory);
    const moved = expected === undefined ? [] : [own(expected)];
    const names = [
      { parent: source, name: from.name },
      { parent: target, name: to.name },
    ];
    await this.#naming(names, moved, () => ({
      call: "rename",
      at: { node: source.node, name: from.name },
      to: { node: target.node, name: to.name },
      expected: moved[0]?.node,
    }));
    // What has moved is told its new name.
    await this.lookup(target, to.name);
  }

  async setAttributes(inode: Inode, changes: Attributes): Promise<void> {
    const file = own(inode);
    await this.#changing(file, () =>
      this.#files.ask([file], () => ({ call: "change", node: file.node, changes })),
    );
  }

  async statFs(): Promise<StatFs> {
    const { facts } = (await this.#files.ask([], () => ({ call: "statFs" }))).value;
    if (facts === undefined) throw new KernelError("EIO");
    return facts;
  }

  async sync(): Promise<void> {
    await this.#files.ask([], () => ({ call: "sync" }));
  }

  retain(inode: Inode): void {
    const file = own(inode);
    file.holders += 1;
    if (file.holders === 1) this.#files.keep(file, "hold");
  }

  release(inode: Inode): void {
    const file = own(inode);
    file.holders -= 1;
    if (file.holders === 0) this.#files.keep(file, "release");
  }

  watch(inode: Inode, tell: (change: OutsideChange) => void): () => void {
    const file = own(inode);
    if (this.#watches.add(file, tell)) this.#tell(file, "watch");
    return () => {
      if (this.#watches.remove(file, tell)) this.#tell(file, "unwatch");
    };
  }

  /** What the server says that others have changed. */
  tellChanges(node: number, changes: readonly OutsideChange[]): void {
    this.#watches.receive(node, changes);
  }

  /** Requests leave in order. What is not watched is not told of. */
  #tell(file: ServedInode, call: "watch" | "unwatch"): void {
    this.#files.ask([file], () => ({ call, node: file.node })).catch(() => undefined);
  }

  async #put(file: ServedInode, bytes: Uint8Array, offset: number | "end"): Promise<number> {
    const request = () => ({ call: "write", node: file.node, offset }) as const;
    const { value } = await this.#files.ask([file], request, { body: bytes });
    if (value.offset === undefined) throw new KernelError("EIO");
    return value.offset;
  }

  async #changing<T>(file: ServedInode, change: () => Promise<T>): Promise<T> {
    this.#forget(file);
    try {
      return await change();
    } finally {
      this.#forget(file);
    }
  }

  #forget(file: ServedInode): void {
    this.#files.changed(file);
    this.#content.forget(file);
    if (file.parent !== undefined) this.#watches.changing(file.parent, file.name);
  }

  async #remove(call: "unlink" | "rmdir", { directory, name }: DirectoryName): Promise<void> {
    const parent = own(directory);
    await this.#naming([{ parent, name }], [], () => ({ call, at: { node: parent.node, name } }));
    this.#files.nameRemoved(parent, name);
  }

  /** A change of names, and of files by it. */
  async #naming(
    names: readonly { readonly parent: ServedInode; readonly name: string }[],
    files: readonly ServedInode[],
    request: Parameters<ServedFiles["ask"]>[1],
  ): Promise<MountResult> {
    const forget = (): void => {
      for (const { parent, name } of names) {
        this.#files.nameChanged(parent, name);
        this.#watches.changing(parent, name);
      }
      for (const file of files) this.#files.changed(file);
    };
    forget();
    try {
      const parents = names.map(({ parent }) => parent);
      return (await this.#files.ask([...parents, ...files], request)).value;
    } catch (error) {
      // Only a directory that is gone keeps what is in it from being found again.
      if (isKernelError(error, "ESTALE")) throw new KernelError("ENOENT", undefined, error.reason);
      throw error;
    } finally {
      forget();
    }
  }
}

function own(inode: Inode): ServedInode {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the VFS gives back only inodes this driver made
  return inode as ServedInode;
}
