import { KernelError } from "../../abi/kernel-error.ts";
import type { DirectoryName, FileSystem, Inode, NewFile } from "../../vfs/file-system.ts";
import type { CopyUp } from "./copy-up.ts";
import { isWithin, type OverlayInode, type OverlayPlace, UPPER } from "./overlay-inode.ts";
import type { OverlayTree } from "./overlay-tree.ts";
import { isReserved, OPAQUE_NAME, WHITEOUT } from "./whiteout.ts";
import type { WorkDirectory } from "./work-directory.ts";

export interface OverlayNamesParts {
  readonly upper: FileSystem;
  readonly tree: OverlayTree;
  readonly work: WorkDirectory;
  readonly copyUp: CopyUp;
}

/**
 * Changes of names. Each prepares all that can fail where nobody sees it, and then changes the
 * upper layer; where that takes more than one step, lookups wait. Callers hold the overlay's turn.
 */
export class OverlayNames {
  readonly #parts: OverlayNamesParts;

  constructor(parts: OverlayNamesParts) {
    this.#parts = parts;
  }

  async create(at: OverlayPlace, file: NewFile): Promise<OverlayInode> {
    const { upper, work } = this.#parts;
    if (file.kind === "device" && (file.rdev ?? 0) === 0) throw new KernelError("EPERM");
    const to = await this.#free(at);
    const whiteout = await upper.lookup(to.directory, to.name);
    if (whiteout === undefined) return this.#adopt(at, await upper.create(to, file));
    const made = await work.create(file);
    await work.orDiscard(made.at, async () => {
      if (file.kind !== "directory") return upper.rename(made.at, to);
      await upper.create({ directory: made.inode, name: OPAQUE_NAME }, WHITEOUT);
      return whileChanging([at.directory], async () => {
        await upper.unlink(to);
        await upper.rename(made.at, to);
      });
    });
    return this.#adopt(at, made.inode);
  }

  async link(at: OverlayPlace, inode: OverlayInode): Promise<void> {
    const { upper, work, copyUp } = this.#parts;
    const to = await this.#free(at);
    if (inode.isDirectory) throw new KernelError("EPERM");
    if (inode.links === 0) throw new KernelError("ENOENT");
    const file = await copyUp.file(inode);
    const whiteout = await upper.lookup(to.directory, to.name);
    if (whiteout === undefined) {
      await upper.link(to, file);
    } else {
      const made = await work.freeName();
      await upper.link(made, file);
      await work.orDiscard(made, () => upper.rename(made, to));
    }
    if (inode.links !== undefined) inode.links += 1;
  }

  async unlink(at: OverlayPlace): Promise<void> {
    const { upper, tree, copyUp } = this.#parts;
    const inode = await this.#existing(at);
    if (inode.isDirectory) throw new KernelError("EISDIR");
    const isLast = await this.#isLastName(inode);
    if (await tree.isBelow(at.directory, at.name)) {
      await copyUp.file(at.directory);
      await this.#putWhiteout(upperName(at));
    } else {
      await upper.unlink(upperName(at));
    }
    await this.#lostName(inode, at, isLast);
  }

  async rmdir(at: OverlayPlace): Promise<void> {
    const { upper, tree, work, copyUp } = this.#parts;
    const inode = await this.#existing(at);
    if (!inode.isDirectory) throw new KernelError("ENOTDIR");
    if (!(await tree.isEmpty(inode))) throw new KernelError("ENOTEMPTY");
    await copyUp.file(at.directory);
    const isBelow = await tree.isBelow(at.directory, at.name);
    if (inode.upper === undefined) await this.#putWhiteout(upperName(at));
    else if (isBelow) await this.#replaceByWhiteout(at, inode);
    else {
      await work.clear(inode.upper);
      await upper.rmdir(upperName(at));
    }
    this.#lostDirectory(inode);
  }

  async rename(from: OverlayPlace, to: OverlayPlace, expected?: Inode): Promise<void> {
    const { tree } = this.#parts;
    if (to.directory.isRemoved) throw new KernelError("ENOENT");
    if (isReserved(to.name)) throw new KernelError("EPERM");
    const moved = await this.#existing(from);
    if (expected !== undefined && moved !== expected) throw new KernelError("ENOENT");
    const replaced = await tree.look(to.directory, to.name);
    if (isWithin(to.directory, moved)) throw new KernelError("EINVAL");
    if (replaced !== undefined && isWithin(from.directory, replaced)) {
      throw new KernelError("ENOTEMPTY");
    }
    if (replaced === moved) return;
    if (replaced !== undefined) await this.#checkReplacing(moved, replaced);
    await this.#move(moved, replaced, { from, to });
  }

  async #move(
    moved: OverlayInode,
    replaced: OverlayInode | undefined,
    { from, to }: { readonly from: OverlayPlace; readonly to: OverlayPlace },
  ): Promise<void> {
    const { upper, copyUp } = this.#parts;
    await copyUp.file(from.directory);
    await copyUp.file(to.directory);
    const [source, target] = [upperName(from), upperName(to)];
    const whiteout = await this.#prepareMove(moved, from, to);
    const isLast = replaced !== undefined && (await this.#isLastName(replaced));
    await whileChanging([from.directory, to.directory], async () => {
      if (moved.isDirectory) await this.#clearWay(target, replaced);
      await upper.rename(source, target);
      if (whiteout !== undefined) await upper.rename(whiteout, source);
    });
    moved.place = { directory: to.directory, name: to.name };
    if (replaced?.isDirectory) this.#lostDirectory(replaced);
    else if (replaced !== undefined) await this.#lostName(replaced, to, isLast);
  }

  /** What the upper layer has where a directory goes: a whiteout, or a directory of whiteouts. */
  async #clearWay(target: DirectoryName, replaced: OverlayInode | undefined): Promise<void> {
    const { upper, work } = this.#parts;
    if (replaced !== undefined) replaced.isRemoved = true;
    const inTheWay = await upper.lookup(target.directory, target.name);
    if (inTheWay?.kind === "directory") await work.clear(inTheWay);
    else if (inTheWay !== undefined) await upper.unlink(target);
  }

  /** Brings up what moves; answers the whiteout that is to take its old name, if it needs one. */
  async #prepareMove(
    moved: OverlayInode,
    from: OverlayPlace,
    to: OverlayPlace,
  ): Promise<DirectoryName | undefined> {
    const { tree, work, copyUp } = this.#parts;
    if (moved.isDirectory) await copyUp.wholeDirectory(moved);
    else await copyUp.named(from, moved);
    if (moved.isDirectory && (await tree.isBelow(to.directory, to.name))) {
      await copyUp.makeOpaque(moved);
    }
    const isBelow = await tree.isBelow(from.directory, from.name);
    return isBelow ? work.createWhiteout() : undefined;
  }

  async #checkReplacing(moved: OverlayInode, replaced: OverlayInode): Promise<void> {
    if (!moved.isDirectory && replaced.isDirectory) throw new KernelError("EISDIR");
    if (moved.isDirectory && !replaced.isDirectory) throw new KernelError("ENOTDIR");
    if (!replaced.isDirectory) return;
    if (!(await this.#parts.tree.isEmpty(replaced))) throw new KernelError("ENOTEMPTY");
  }

  /** The place in the upper layer for a new name, which nothing visible has. */
  async #free(at: OverlayPlace): Promise<DirectoryName> {
    const { tree, copyUp } = this.#parts;
    if (at.directory.isRemoved) throw new KernelError("ENOENT");
    if (isReserved(at.name)) throw new KernelError("EPERM");
    const existing = await tree.look(at.directory, at.name);
    if (existing !== undefined) throw new KernelError("EEXIST");
    return { directory: await copyUp.file(at.directory), name: at.name };
  }

  async #existing(at: OverlayPlace): Promise<OverlayInode> {
    const inode = await this.#parts.tree.look(at.directory, at.name);
    if (inode === undefined) throw new KernelError("ENOENT");
    return inode;
  }

  #adopt(at: OverlayPlace, inode: Inode): OverlayInode {
    const { upper, tree } = this.#parts;
    return tree.adopt({ layer: UPPER, fs: upper, inode }, at.directory, at.name);
  }

  /** Hides a name from the layers below, taking the place of a file of the upper layer. */
  async #putWhiteout(at: DirectoryName): Promise<void> {
    const { upper, work } = this.#parts;
    if ((await upper.lookup(at.directory, at.name)) === undefined) {
      await upper.create(at, WHITEOUT);
      return;
    }
    const whiteout = await work.createWhiteout();
    await work.orDiscard(whiteout, () => upper.rename(whiteout, at));
  }

  async #replaceByWhiteout(at: OverlayPlace, inode: OverlayInode): Promise<void> {
    const { upper, work } = this.#parts;
    const whiteout = await work.createWhiteout();
    const away = await work.freeName();
    await whileChanging([at.directory], async () => {
      await upper.rename(upperName(at), away);
      await upper.rename(whiteout, upperName(at));
    });
    inode.isRemoved = true;
    await work.discard(away);
  }

  /** Asked before a name goes. Names in lower layers stay there, so from now on they are counted. */
  async #isLastName(inode: OverlayInode): Promise<boolean> {
    const { fs, inode: top } = inode.top;
    if (inode.isDirectory) return true;
    const { nlink } = await fs.stat(top);
    if (inode.upper === undefined) inode.links ??= nlink;
    return (inode.links ?? nlink) === 1;
  }

  async #lostName(inode: OverlayInode, at: OverlayPlace, isLast: boolean): Promise<void> {
    const { tree, work } = this.#parts;
    if (inode.place?.directory === at.directory && inode.place.name === at.name) {
      inode.place = undefined;
    }
    if (inode.links !== undefined) inode.links -= 1;
    if (!isLast) return;
    if (inode.upper !== undefined) tree.forgetCopy(inode.upper);
    if (inode.keptName !== undefined) await work.discard(await work.at(inode.keptName));
  }

  #lostDirectory(inode: OverlayInode): void {
    inode.isRemoved = true;
    inode.place = undefined;
    if (inode.upper !== undefined) this.#parts.tree.forgetCopy(inode.upper);
  }
}

function upperName({ directory, name }: OverlayPlace): DirectoryName {
  if (directory.upper === undefined) throw new TypeError("the directory is not copied up");
  return { directory: directory.upper, name };
}

/** Lookups and listings in these directories wait until `change` has ended. */
async function whileChanging(
  directories: Iterable<OverlayInode>,
  change: () => Promise<void>,
): Promise<void> {
  const changing = new Set(directories);
  for (const directory of changing) directory.changes += 1;
  try {
    await change();
  } finally {
    for (const directory of changing) directory.changes += 1;
  }
}
