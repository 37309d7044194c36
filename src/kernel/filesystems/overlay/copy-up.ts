import { KernelError } from "../../abi/kernel-error.ts";
import type { Stat } from "../../abi/stat.ts";
import type { DirectoryName, FileSystem, Inode, NewFile } from "../../vfs/file-system.ts";
import { type OverlayInode, type OverlayPlace, UPPER } from "./overlay-inode.ts";
import type { OverlayTree } from "./overlay-tree.ts";
import { OPAQUE_NAME, WHITEOUT } from "./whiteout.ts";
import type { WorkDirectory } from "./work-directory.ts";

export interface CopyUpParts {
  readonly upper: FileSystem;
  readonly tree: OverlayTree;
  readonly work: WorkDirectory;
  /** Lets others run during long copies. */
  readonly yieldTurn: () => Promise<void>;
}

/**
 * Brings files of lower layers into the upper one. Guests see no difference: what fails half way
 * leaves at most parents that were copied up. Callers hold the overlay's turn.
 */
export class CopyUp {
  readonly #parts: CopyUpParts;

  constructor(parts: CopyUpParts) {
    this.#parts = parts;
  }

  /** The file in the upper layer, brought there if need be; at most `keepBytes` of its content. */
  async file(inode: OverlayInode, keepBytes = Number.MAX_SAFE_INTEGER): Promise<Inode> {
    const { upper, tree, work } = this.#parts;
    if (inode.upper !== undefined) return inode.upper;
    const to = await this.#findPlace(inode);
    const { fs, inode: lower } = inode.top;
    const stat = await fs.stat(lower);
    const { at, inode: copy } = await work.create(await this.#newFile(inode, stat));
    await work.orDiscard(at, async () => {
      if (stat.kind === "file")
        await this.#copyContent(inode, copy, Math.min(stat.size, keepBytes));
      await upper.setAttributes(copy, { atimeMs: stat.atimeMs, mtimeMs: stat.mtimeMs });
      if (!inode.isDirectory && stat.nlink > 1) await this.#keep(inode, copy, stat.nlink);
      tree.noteCopy(inode, copy);
      if (to !== undefined) await this.#unseen(to.directory, () => upper.rename(at, to));
    });
    inode.addUpper({ layer: UPPER, fs: upper, inode: copy });
    if (to === undefined) await upper.unlink(at);
    return copy;
  }

  /** The file in the upper layer, under this name of it as well. */
  async named({ directory, name }: OverlayPlace, inode: OverlayInode): Promise<Inode> {
    const { upper } = this.#parts;
    const file = await this.file(inode);
    const to = { directory: await this.file(directory), name };
    if ((await upper.lookup(to.directory, name)) !== undefined) return file;
    await this.#unseen(to.directory, () => upper.link(to, file));
    return file;
  }

  /** Brings a directory up with everything below it, so that it can move: no layer is under it. */
  async wholeDirectory(directory: OverlayInode): Promise<void> {
    await this.file(directory);
    if (!directory.isMerged) return;
    const merged: OverlayInode[] = [];
    await this.#subtree(directory, merged);
    await this.makeOpaque(directory);
    for (const inode of merged) inode.parts = inode.parts.slice(0, 1);
  }

  /** Marks a directory of the upper layer, so that nothing below shows through. */
  async makeOpaque(directory: OverlayInode): Promise<void> {
    const { upper } = this.#parts;
    const inside = await this.file(directory);
    if ((await upper.lookup(inside, OPAQUE_NAME)) !== undefined) return;
    const marker = { directory: inside, name: OPAQUE_NAME };
    await this.#unseen(inside, async () => {
      await upper.create(marker, WHITEOUT);
    });
  }

  async #subtree(directory: OverlayInode, merged: OverlayInode[]): Promise<void> {
    const { tree, yieldTurn } = this.#parts;
    await this.file(directory);
    if (!directory.isMerged) return;
    merged.push(directory);
    let cursor: number | undefined = 0;
    while (cursor !== undefined) {
      const page = await tree.list(directory, cursor, 64);
      for (const { name } of page.entries) {
        const child = await tree.look(directory, name);
        if (child?.isDirectory) await this.#subtree(child, merged);
        else if (child !== undefined) await this.named({ directory, name }, child);
      }
      cursor = page.cursor;
      await yieldTurn();
    }
  }

  /** Its name in the upper layer; undefined when it has none any more. */
  async #findPlace(inode: OverlayInode): Promise<DirectoryName | undefined> {
    const { place } = inode;
    if (place === undefined) return undefined;
    const { directory, name } = place;
    if ((await this.#parts.tree.look(directory, name)) !== inode) return undefined;
    return { directory: await this.file(directory), name };
  }

  async #newFile(inode: OverlayInode, stat: Stat): Promise<NewFile> {
    const { kind, mode, uid, gid, rdev } = stat;
    if (kind === "device") return { kind, mode, uid, gid, rdev };
    if (kind !== "symlink") return { kind, mode, uid, gid };
    return { kind, mode, uid, gid, target: await inode.top.fs.readlink(inode.top.inode, 0) };
  }

  async #copyContent(from: OverlayInode, to: Inode, sizeBytes: number): Promise<void> {
    const { upper, yieldTurn } = this.#parts;
    const { fs, inode } = from.top;
    const buffer = new Uint8Array(Math.min(COPY_BYTES, sizeBytes));
    for (let offset = 0; offset < sizeBytes; ) {
      const want = buffer.subarray(0, sizeBytes - offset);
      const count = await fs.read(inode, want, offset);
      if (count === 0) throw new KernelError("EIO", undefined, "a lower layer has changed");
      const chunk = want.subarray(0, count);
      if (chunk.some((byte) => byte !== 0)) await upper.write(to, chunk, offset);
      offset += count;
      await yieldTurn();
    }
    await upper.truncate(to, sizeBytes);
  }

  /** A file with more names below lives on under a hidden one until the last of them is gone. */
  async #keep(inode: OverlayInode, copy: Inode, lowerLinks: number): Promise<void> {
    const at = await this.#parts.work.freeName();
    await this.#parts.upper.link(at, copy);
    inode.keptName = at.name;
    inode.links ??= lowerLinks;
  }

  /** Changes a directory whose times stay: for the guest nothing has happened there. */
  async #unseen(directory: Inode, change: () => Promise<void>): Promise<void> {
    const { upper } = this.#parts;
    const { atimeMs, mtimeMs } = await upper.stat(directory);
    await change();
    await upper.setAttributes(directory, { atimeMs, mtimeMs });
  }
}

/** As much as is read and written at a time. */
const COPY_BYTES = 1 << 18;
