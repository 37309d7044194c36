import { KernelError } from "../abi/kernel-error.ts";
import type { Rights, Stat, StatFs } from "../abi/stat.ts";
import { type Answer, whenAnswered } from "../answer.ts";
import type { OpenFile } from "../fd/open-file.ts";
import type {
  Attributes,
  DirectoryName,
  DirectoryPage,
  FileSystem,
  Inode,
  NewFile,
} from "../vfs/file-system.ts";
import { CopyUp } from "./overlay/copy-up.ts";
import { OverlayInode, type OverlayPlace } from "./overlay/overlay-inode.ts";
import { OverlayNames } from "./overlay/overlay-names.ts";
import { OverlayTree } from "./overlay/overlay-tree.ts";
import { WorkDirectory } from "./overlay/work-directory.ts";

export interface OverlayFileSystemOptions {
  /** Takes all changes; without it the overlay is read-only. Nobody else may change it. */
  readonly upper?: FileSystem;
  /** The topmost first. Nobody may change them. */
  readonly lower: readonly FileSystem[];
  /** Called now and then during long copies, to let the host's event loop have a turn. */
  readonly yieldTurn?: () => Promise<void>;
}

/** What changes an overlay; only one with an upper layer has it. */
interface Changes {
  readonly upper: FileSystem;
  readonly copyUp: CopyUp;
  readonly names: OverlayNames;
}

/**
 * File systems laid over each other: a name shows the topmost file that has it, directories are
 * merged. Changes go to the upper layer, where a file of a lower layer is copied first (a directory
 * that moves, with all that is below it); overlay/whiteout.ts says what else is written there.
 *
 * Changes of names and copies take turns; reads, and writes to what is in the upper layer, do not
 * wait for them. As on Linux, a merged directory shows a link count of 1.
 */
// Deviation: names of one file in a lower layer stay names of one file after it is copied up, until
// the file system is made anew; Linux's overlayfs parts them at once (index=off).
export class OverlayFileSystem implements FileSystem {
  readonly type = "overlay";
  readonly isReadOnly: boolean;
  readonly #tree: OverlayTree;
  readonly #changes: Changes | undefined;
  readonly #topmost: FileSystem;
  #turn: Promise<unknown> = Promise.resolve();

  /** Fails with EINVAL without any layer. */
  constructor({ upper, lower, yieldTurn }: OverlayFileSystemOptions) {
    const topmost = upper ?? lower[0];
    if (topmost === undefined) throw new KernelError("EINVAL", "overlay", "there is no layer");
    this.#topmost = topmost;
    this.isReadOnly = upper === undefined || upper.isReadOnly;
    this.#tree = new OverlayTree(upper, lower);
    if (upper === undefined || upper.isReadOnly) return;
    const work = new WorkDirectory(upper);
    const parts = { upper, tree: this.#tree, work };
    const copyUp = new CopyUp({ ...parts, yieldTurn: yieldTurn ?? (() => Promise.resolve()) });
    this.#changes = { upper, copyUp, names: new OverlayNames({ ...parts, copyUp }) };
  }

  get root(): OverlayInode {
    return this.#tree.root;
  }

  lookup(directory: Inode, name: string): Answer<OverlayInode | undefined> {
    const above = own(directory);
    return this.#steady(above, () => this.#tree.look(above, name));
  }

  stat(inode: Inode): Answer<Stat> {
    const file = own(inode);
    const { fs, inode: top } = file.top;
    return whenAnswered(fs.stat(top), (stat) => ({
      ...stat,
      ino: file.ino,
      nlink: this.#nlink(file, stat),
    }));
  }

  rights(inode: Inode): Rights | undefined {
    const { fs, inode: top } = own(inode).top;
    return fs.rights?.(top);
  }

  readlink(inode: Inode, callerPid: number): Promise<string> {
    const { fs, inode: top } = own(inode).top;
    return fs.readlink(top, callerPid);
  }

  async list(directory: Inode, cursor: number, limit: number): Promise<DirectoryPage> {
    const listed = own(directory);
    return this.#steady(listed, () => this.#tree.list(listed, cursor, limit));
  }

  read(inode: Inode, into: Uint8Array, offset: number): Answer<number> {
    const { fs, inode: top } = own(inode).top;
    return fs.read(top, into, offset);
  }

  async write(inode: Inode, from: Uint8Array, offset: number | "end"): Promise<number> {
    const { upper } = this.#changing();
    const file = own(inode);
    if (from.length === 0 && offset !== "end") return offset;
    return upper.write(await this.#inUpper(file), from, offset);
  }

  async truncate(inode: Inode, sizeBytes: number): Promise<void> {
    const { upper } = this.#changing();
    await upper.truncate(await this.#inUpper(own(inode), sizeBytes), sizeBytes);
  }

  openDevice(inode: Inode, flags: number): Promise<OpenFile> {
    const { fs, inode: top } = own(inode).top;
    return fs.openDevice(top, flags);
  }

  async create(at: DirectoryName, file: NewFile): Promise<OverlayInode> {
    const { names } = this.#changing();
    return this.#inTurn(() => names.create(placeOf(at), file));
  }

  async link(at: DirectoryName, inode: Inode): Promise<void> {
    const { names } = this.#changing();
    return this.#inTurn(() => names.link(placeOf(at), own(inode)));
  }

  async unlink(at: DirectoryName): Promise<void> {
    const { names } = this.#changing();
    return this.#inTurn(() => names.unlink(placeOf(at)));
  }

  async rmdir(at: DirectoryName): Promise<void> {
    const { names } = this.#changing();
    return this.#inTurn(() => names.rmdir(placeOf(at)));
  }

  async rename(from: DirectoryName, to: DirectoryName, expected?: Inode): Promise<void> {
    const { names } = this.#changing();
    return this.#inTurn(() => names.rename(placeOf(from), placeOf(to), expected));
  }

  async setAttributes(inode: Inode, changes: Attributes): Promise<void> {
    const { upper } = this.#changing();
    await upper.setAttributes(await this.#inUpper(own(inode)), changes);
  }

  async statFs(): Promise<StatFs> {
    return { ...(await this.#topmost.statFs()), type: this.type };
  }

  sync(): Promise<void> {
    return this.#topmost.sync();
  }

  retain(inode: Inode): void {
    own(inode).retain();
  }

  release(inode: Inode): void {
    own(inode).release();
  }

  #changing(): Changes {
    if (this.#changes === undefined) throw new KernelError("EROFS");
    return this.#changes;
  }

  async #inUpper(inode: OverlayInode, keepBytes?: number): Promise<Inode> {
    const { copyUp } = this.#changing();
    return inode.upper ?? this.#inTurn(() => copyUp.file(inode, keepBytes));
  }

  /** Reads names that no change is half done with; when one comes in between, reads in its turn. */
  #steady<T>(directory: OverlayInode, read: () => Answer<T>): Answer<T> {
    const { changes } = directory;
    if (directory.isChanging) return this.#inTurn(read);
    return whenAnswered(read(), (result) =>
      directory.changes === changes ? result : this.#inTurn(read),
    );
  }

  /** One change after another; each sees what the one before left. */
  #inTurn<T>(change: () => Answer<T>): Promise<T> {
    const result = this.#turn.then(change);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #nlink(inode: OverlayInode, stat: Stat): number {
    if (inode.isRemoved) return 0;
    const isCountUnknown = inode.isMerged || inode === this.root;
    if (inode.isDirectory && isCountUnknown) return 1;
    return inode.links ?? stat.nlink;
  }
}

function own(inode: Inode): OverlayInode {
  if (inode instanceof OverlayInode) return inode;
  throw new TypeError("the inode is another file system's");
}

function placeOf({ directory, name }: DirectoryName): OverlayPlace {
  return { directory: own(directory), name };
}
