import { isKernelError } from "../../abi/kernel-error.ts";
import type { DirectoryName, FileSystem, Inode, NewFile } from "../../vfs/file-system.ts";
import { WHITEOUT, WORK_NAME } from "./whiteout.ts";

/**
 * Where files of the upper layer are made before they are renamed into place, and where directories
 * go that are taken away: so that no name is ever seen half done, nor after a crash.
 */
export class WorkDirectory {
  readonly #upper: FileSystem;
  #directory: Inode | undefined;
  #nextName = 1;

  constructor(upper: FileSystem) {
    this.#upper = upper;
  }

  /** A name nobody has. */
  async freeName(): Promise<DirectoryName> {
    return this.at(String(this.#nextName++));
  }

  /** A name given out before. */
  async at(name: string): Promise<DirectoryName> {
    this.#directory ??= await this.#open();
    return { directory: this.#directory, name };
  }

  /** Does what is to be done with a file made here; when that fails, the file goes. */
  async orDiscard<T>(at: DirectoryName, use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      await undo(this.discard(at));
      throw error;
    }
  }

  async create(file: NewFile): Promise<{ readonly at: DirectoryName; readonly inode: Inode }> {
    const at = await this.freeName();
    return { at, inode: await this.#upper.create(at, file) };
  }

  async createWhiteout(): Promise<DirectoryName> {
    return (await this.create(WHITEOUT)).at;
  }

  /** Removes what is under a name, directories with all that is in them. */
  async discard(at: DirectoryName): Promise<void> {
    const inode = await this.#upper.lookup(at.directory, at.name);
    if (inode === undefined) return;
    if (inode.kind !== "directory") return this.#upper.unlink(at);
    await this.clear(inode);
    await this.#upper.rmdir(at);
  }

  /** Removes everything in a directory of the upper layer. */
  async clear(directory: Inode): Promise<void> {
    for (;;) {
      const { entries } = await this.#upper.list(directory, 0, 100);
      if (entries.length === 0) return;
      for (const { name } of entries) await this.discard({ directory, name });
    }
  }

  async #open(): Promise<Inode> {
    const at = { directory: this.#upper.root, name: WORK_NAME };
    const existing = await this.#upper.lookup(at.directory, at.name);
    if (existing !== undefined) {
      await this.clear(existing);
      return existing;
    }
    const { atimeMs, mtimeMs } = await this.#upper.stat(at.directory);
    const made = await this.#upper.create(at, { kind: "directory", mode: 0, uid: 0, gid: 0 });
    await this.#upper.setAttributes(at.directory, { atimeMs, mtimeMs });
    return made;
  }
}

/** Takes a step back after a failure, which is the one to tell: one of its own adds nothing. */
async function undo(step: Promise<void>): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}
