import type { DirectoryEntry } from "../../abi/stat.ts";
import type { Answer } from "../../answer.ts";
import type { DirectoryPage, FileSystem, Inode } from "../../vfs/file-system.ts";
import { OverlayInode, type OverlayPlace, type Part, UPPER } from "./overlay-inode.ts";
import { isOpaque, isReserved, isWhiteout } from "./whiteout.ts";

/** The layers seen as one tree: finds and lists names. Changes nothing. */
export class OverlayTree {
  readonly root: OverlayInode;
  readonly #layerCount: number;
  /** By the inode of any layer: lives as long as the layer's inode does. */
  readonly #byInode = new WeakMap<Inode, OverlayInode>();
  /** Files copied up, by number in the upper layer: they keep their identity and number. */
  readonly #copiedUp = new Map<number, OverlayInode>();

  constructor(upper: FileSystem | undefined, lower: readonly FileSystem[]) {
    this.#layerCount = lower.length + 1;
    const parts = lower.map((fs, i) => ({ layer: i + 1, fs, inode: fs.root }));
    if (upper !== undefined) parts.unshift({ layer: UPPER, fs: upper, inode: upper.root });
    this.root = this.#inodeFor(parts, undefined);
  }

  /** At once where the layers answer at once, and nothing is there or it was found before. */
  look(directory: OverlayInode, name: string): Answer<OverlayInode | undefined> {
    if (directory.isRemoved || isReserved(name)) return undefined;
    for (const part of directory.parts) {
      const inode = part.fs.lookup(part.inode, name);
      if (inode === undefined) continue;
      const known = inode instanceof Promise ? undefined : this.#byInode.get(inode);
      if (known !== undefined) return foundAt(known, directory, name);
      return this.#lookFrom(part, inode, { directory, name });
    }
    return undefined;
  }

  /** From one layer on, the first that may have it. */
  async #lookFrom(
    first: Part,
    found: Answer<Inode | undefined>,
    { directory, name }: OverlayPlace,
  ): Promise<OverlayInode | undefined> {
    const parts: Part[] = [];
    for (const part of directory.parts.slice(directory.parts.indexOf(first))) {
      const { layer, fs, inode: above } = part;
      const inode = await (part === first ? found : fs.lookup(above, name));
      if (inode === undefined) continue;
      if (parts.length === 0) {
        const known = this.#byInode.get(inode);
        if (known !== undefined) return foundAt(known, directory, name);
      }
      if (await isWhiteout(fs, inode)) break;
      const isEnd = inode.kind !== "directory";
      if (!isEnd || parts.length === 0) parts.push({ layer, fs, inode });
      if (isEnd || (directory.isMerged && (await isOpaque(fs, inode)))) break;
    }
    if (parts.length === 0) return undefined;
    return this.#inodeFor(parts, { directory, name });
  }

  /** Whether a lower layer would show the name if the upper one did not hide it. */
  async isBelow(directory: OverlayInode, name: string): Promise<boolean> {
    for (const { layer, fs, inode: above } of directory.parts) {
      if (layer === UPPER) continue;
      const inode = await fs.lookup(above, name);
      if (inode !== undefined) return !(await isWhiteout(fs, inode));
    }
    return false;
  }

  /** The overlay's inode for a new file of the upper layer. */
  adopt(part: Part, directory: OverlayInode, name: string): OverlayInode {
    return this.#inodeFor([part], { directory, name });
  }

  /** Lets lookups that meet `upper` find the inode it is a copy of. */
  noteCopy(inode: OverlayInode, upper: Inode): void {
    this.#byInode.set(upper, inode);
    this.#copiedUp.set(upper.ino, inode);
  }

  /** After the last name of a file of the upper layer: its number may come again. */
  forgetCopy(upper: Inode): void {
    this.#copiedUp.delete(upper.ino);
  }

  async isEmpty(directory: OverlayInode): Promise<boolean> {
    return (await this.list(directory, 0, 1)).entries.length === 0;
  }

  /**
   * The layers one after another, the lowest first. A name belongs to the lowest layer that has it:
   * lower layers do not change, so a name copied up meanwhile is still listed once.
   */
  async list(directory: OverlayInode, cursor: number, limit: number): Promise<DirectoryPage> {
    const entries: DirectoryEntry[] = [];
    if (directory.isRemoved) return { entries, cursor: undefined };
    let next = cursor;
    while (entries.length < limit) {
      const turn = next % this.#layerCount;
      const part = directory.listed.find(({ layer }) => layer === this.#layerCount - 1 - turn);
      const page = await this.#listPart(directory, part, {
        cursor: Math.floor(next / this.#layerCount),
        limit: limit - entries.length,
      });
      entries.push(...page.entries);
      const isLast = turn === this.#layerCount - 1;
      if (page.cursor === undefined && isLast) return { entries, cursor: undefined };
      next = page.cursor === undefined ? turn + 1 : page.cursor * this.#layerCount + turn;
    }
    return { entries, cursor: next };
  }

  async #listPart(
    directory: OverlayInode,
    part: Part | undefined,
    from: { readonly cursor: number; readonly limit: number },
  ): Promise<DirectoryPage> {
    if (part === undefined) return { entries: [], cursor: undefined };
    const page = await part.fs.list(part.inode, from.cursor, from.limit);
    const entries: DirectoryEntry[] = [];
    for (const entry of page.entries) {
      const shown = await this.#show(directory, part, entry);
      if (shown !== undefined) entries.push(shown);
    }
    return { entries, cursor: page.cursor };
  }

  async #show(
    directory: OverlayInode,
    part: Part,
    entry: DirectoryEntry,
  ): Promise<DirectoryEntry | undefined> {
    const { name, kind } = entry;
    if (isReserved(name)) return undefined;
    if (directory.listed.length === 1 && kind !== "device") {
      return { name, kind, ino: this.#inoOf(part.layer, entry.ino) };
    }
    for (const { layer, fs, inode } of directory.listed) {
      const isLower = layer > part.layer;
      if (isLower && (await fs.lookup(inode, name)) !== undefined) return undefined;
    }
    const found = await this.look(directory, name);
    return found && { name, kind: found.kind, ino: found.ino };
  }

  #inodeFor(parts: readonly Part[], place: OverlayPlace | undefined): OverlayInode {
    const [top] = parts;
    if (top === undefined) throw new TypeError("an overlay needs a layer");
    const known = this.#byInode.get(top.inode);
    if (known !== undefined) return known;
    const inode = new OverlayInode(this.#inoOf(top.layer, top.inode.ino), top.inode.kind, parts);
    inode.place = place;
    this.#byInode.set(top.inode, inode);
    return inode;
  }

  /** A number of its own for each file of each layer; a copy keeps the original's. */
  #inoOf(layer: number, ino: number): number {
    const copied = layer === UPPER ? this.#copiedUp.get(ino) : undefined;
    return copied?.ino ?? ino * this.#layerCount + layer;
  }
}

/**
 * Notes one of a file's names. A lookup may come back after a rename: a directory's place is only
 * changed by the one who moves it, and a file's is looked at again before it is used.
 */
function foundAt(inode: OverlayInode, directory: OverlayInode, name: string): OverlayInode {
  if (!inode.isDirectory && inode.place === undefined) inode.place = { directory, name };
  return inode;
}
