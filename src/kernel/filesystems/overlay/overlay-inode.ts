import type { FileKind } from "../../abi/stat.ts";
import type { FileSystem, Inode } from "../../vfs/file-system.ts";

/** A file of one layer. Layer 0 is the upper one, 1 the topmost of the lower ones. */
export interface Part {
  readonly layer: number;
  readonly fs: FileSystem;
  readonly inode: Inode;
}

export const UPPER = 0;

/** A name in a directory of the overlay. */
export interface OverlayPlace {
  readonly directory: OverlayInode;
  readonly name: string;
}

/**
 * One file as the overlay shows it: the same object and number before and after it is copied up.
 * What opened it goes on through it, so it sees what is written later.
 */
export class OverlayInode implements Inode {
  readonly ino: number;
  readonly kind: FileKind;
  /** Where it is read from; a directory is merged from all of them, the topmost first. */
  parts: readonly Part[];
  /**
   * The layers that listings of a directory go through. It only grows, even when `parts` shrinks,
   * so that a listing under way keeps its place.
   */
  listed: readonly Part[];
  /** Where it was found; undefined for the root and for what lost that name. */
  place: OverlayPlace | undefined;
  /** A directory without a name: nothing is in it and nothing can be. */
  isRemoved = false;
  /** Names left, where the layers cannot tell: some of them are in a lower layer. */
  links: number | undefined;
  /** Its name in the work directory, which keeps it while only lower names are left. */
  keptName: string | undefined;
  holders = 0;
  /** What is retained for the holders. */
  retained: Part[] = [];
  /** Changes of the names in this directory that take several steps, begun or ended: odd within. */
  changes = 0;

  constructor(ino: number, kind: FileKind, parts: readonly Part[]) {
    this.ino = ino;
    this.kind = kind;
    this.parts = parts;
    this.listed = parts;
  }

  get top(): Part {
    const [top] = this.parts;
    if (top === undefined) throw new TypeError("an overlay inode has at least one part");
    return top;
  }

  /** The file in the upper layer; undefined as long as it is in lower ones only. */
  get upper(): Inode | undefined {
    return this.top.layer === UPPER ? this.top.inode : undefined;
  }

  get isChanging(): boolean {
    return this.changes % 2 === 1;
  }

  get isDirectory(): boolean {
    return this.kind === "directory";
  }

  get isMerged(): boolean {
    return this.parts.length > 1;
  }

  retain(): void {
    this.holders += 1;
    if (this.holders === 1) for (const part of this.parts) this.#retainPart(part);
  }

  release(): void {
    this.holders -= 1;
    if (this.holders > 0) return;
    for (const { fs, inode } of this.retained) fs.release(inode);
    this.retained = [];
  }

  /** Takes a file of the upper layer as its own; a directory stays merged with what is below. */
  addUpper(part: Part): void {
    this.parts = this.isDirectory ? [part, ...this.parts] : [part];
    this.listed = [part, ...this.listed];
    if (this.holders > 0) this.#retainPart(part);
  }

  #retainPart(part: Part): void {
    part.fs.retain(part.inode);
    this.retained.push(part);
  }
}

/** Whether `directory` is `ancestor` or lies anywhere below it. */
export function isWithin(directory: OverlayInode, ancestor: OverlayInode): boolean {
  let at: OverlayInode | undefined = directory;
  while (at !== undefined && at !== ancestor) at = at.place?.directory;
  return at !== undefined;
}
