import { randomBytes } from "node:crypto";
import {
  type FileSystem,
  type Inode,
  isKernelError,
  KernelError,
  type Stat,
} from "../../../kernel/index.ts";
import { entryOf } from "./list-tree.ts";
import { parentOf, type TreeEntry } from "./tree.ts";
import { findAt } from "./walk-path.ts";

const OWNER = { uid: 1000, gid: 1000 } as const;
/** Whoever writes into a directory must be able to. */
const OPEN_MODE = 0o700;

/**
 * Writes what comes from a sandbox into the workspace here. Paths were checked; nothing is followed. A file is
 * there wholly or not at all: it is written beside its place and then takes it. Fails with KernelError.
 */
export class WorkspaceWriter {
  readonly #files: FileSystem;
  /** Directories that were written into, with how they should be in the end. */
  readonly #touched = new Map<string, TreeEntry | undefined>();
  /** Where they are, for the next file in them. */
  readonly #opened = new Map<string, Inode>();
  readonly #mark = randomBytes(6).toString("hex");
  #count = 0;

  constructor(files: FileSystem) {
    this.#files = files;
  }

  async directory(path: string, entry: TreeEntry): Promise<void> {
    if (this.#touched.get(path) === entry) return;
    await this.#openDirectory(path);
    this.#touched.set(path, entry);
  }

  async file(path: string, entry: TreeEntry, content: AsyncIterable<Uint8Array>): Promise<void> {
    const parent = await this.#openParent(path);
    const beside = { directory: parent, name: this.#newName() };
    const inode = await this.#files.create(beside, { kind: "file", mode: 0o600, ...OWNER });
    try {
      let at = 0;
      for await (const bytes of content) at = await this.#files.write(inode, bytes, at);
      const { mode, mtimeMs } = entry;
      await this.#files.setAttributes(inode, { mode, atimeMs: mtimeMs, mtimeMs });
      await this.remove(path);
      await this.#files.rename(beside, { directory: parent, name: nameOf(path) }, inode);
    } catch (error) {
      await this.#files.unlink(beside).catch(() => undefined);
      throw error;
    }
  }

  async symlink(path: string, entry: TreeEntry, target: string): Promise<void> {
    const directory = await this.#openParent(path);
    await this.remove(path);
    const wanted = { kind: "symlink", mode: 0o777, ...OWNER, target } as const;
    const inode = await this.#files.create({ directory, name: nameOf(path) }, wanted);
    const { mtimeMs } = entry;
    await this.#files.setAttributes(inode, { atimeMs: mtimeMs, mtimeMs });
  }

  /** Another name for a file that is here. ENOENT. */
  async link(path: string, other: string): Promise<void> {
    const inode = await this.#find(other);
    if (inode?.kind !== "file") throw new KernelError("ENOENT");
    if (path === other) return;
    const directory = await this.#openParent(path);
    await this.remove(path);
    await this.#files.link({ directory, name: nameOf(path) }, inode);
  }

  /** With all that is in it; nothing where there is nothing. */
  async remove(path: string): Promise<void> {
    const inode = await this.#find(path);
    if (inode === undefined) return;
    const directory = await this.#openParent(path);
    if (inode.kind === "directory") this.#opened.clear();
    await this.#removeIn(directory, nameOf(path), inode);
  }

  /** Directories get their modes and times; the deepest first. */
  async finish(): Promise<void> {
    const deepestFirst = [...this.#touched].toSorted(([one], [other]) => other.length - one.length);
    for (const [path, entry] of deepestFirst) {
      const inode = await this.#find(path);
      if (inode?.kind !== "directory" || entry === undefined) continue;
      const { mode, mtimeMs } = entry;
      await this.#files.setAttributes(inode, { mode, atimeMs: mtimeMs, mtimeMs });
    }
  }

  /** What is at a path now. */
  async look(path: string): Promise<TreeEntry | undefined> {
    const inode = await this.#find(path);
    return inode === undefined ? undefined : entryOf(await this.#files.stat(inode));
  }

  get touchedDirectories(): readonly string[] {
    return [...this.#touched.keys()];
  }

  async #openParent(path: string): Promise<Inode> {
    const parent = parentOf(path);
    if (parent === undefined) return this.#files.root;
    return await this.#openDirectory(parent);
  }

  /** A directory that can be written into, made where there is none. */
  async #openDirectory(path: string): Promise<Inode> {
    const known = this.#opened.get(path);
    if (known !== undefined) return known;
    const found = await this.#find(path);
    const isThere = found?.kind === "directory";
    if (found !== undefined && !isThere) await this.remove(path);
    const inode = isThere ? found : await this.#makeDirectory(path);
    const stat = await this.#files.stat(inode);
    if (!this.#touched.has(path)) this.#touched.set(path, isThere ? entryOf(stat) : undefined);
    await this.#makeOpen(inode, stat);
    this.#opened.set(path, inode);
    return inode;
  }

  async #makeDirectory(path: string): Promise<Inode> {
    const directory = await this.#openParent(path);
    const wanted = { kind: "directory", mode: 0o755, ...OWNER } as const;
    return await this.#files.create({ directory, name: nameOf(path) }, wanted);
  }

  async #find(path: string): Promise<Inode | undefined> {
    const parent = this.#opened.get(parentOf(path) ?? "");
    if (parent === undefined) return await findAt(this.#files, path);
    return await this.#files.lookup(parent, nameOf(path));
  }

  async #makeOpen(inode: Inode, { mode }: Stat): Promise<void> {
    if ((mode & OPEN_MODE) !== OPEN_MODE)
      await this.#files.setAttributes(inode, { mode: mode | OPEN_MODE });
  }

  async #removeIn(directory: Inode, name: string, inode: Inode): Promise<void> {
    if (inode.kind !== "directory") return await this.#files.unlink({ directory, name });
    await this.#makeOpen(inode, await this.#files.stat(inode));
    for (;;) {
      const { entries } = await this.#files.list(inode, 0, 1000);
      if (entries.length === 0) break;
      for (const entry of entries) {
        const inner = await this.#files.lookup(inode, entry.name);
        if (inner !== undefined) await this.#removeIn(inode, entry.name, inner);
      }
    }
    await this.#files.rmdir({ directory, name }).catch((error: unknown) => {
      if (!isKernelError(error, "ENOENT")) throw error;
    });
  }

  #newName(): string {
    this.#count += 1;
    return `.agentos-carried-${this.#mark}-${this.#count}`;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
