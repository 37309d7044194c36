import type { FileKind, Inode, Stat } from "../../../kernel/index.ts";
import type { Block } from "./content-cache.ts";
import type { Picture } from "./picture.ts";

/** A file whose file system the server has, and what was last heard of it. */
export class ServedInode implements Inode {
  readonly ino: number;
  readonly kind: FileKind;
  /** What the server calls it, until it needs the room. */
  node: number;
  /** By which name it is found again; undefined for the root. */
  parent: ServedInode | undefined = undefined;
  name = "";
  /** Attributes as they were at a moment. */
  known: { readonly stat: Stat; readonly stamp: Stamp } | undefined = undefined;
  /** Where a link leads: as long as it is the same link, it leads there. */
  target: string | undefined = undefined;
  /** Moves with every change of content or attributes that this VM makes or is told of. */
  changes = 0;
  /** Of a directory: moves with every change of a name in it, or of what has that name. */
  changesInside = 0;
  holders = 0;
  /** What is in it. Only directories have it. */
  picture: Picture | undefined = undefined;
  /** Where the last read ended: one that begins there is in order. */
  readEnd = 0;
  #blocks: Map<number, Block> | undefined = undefined;

  constructor(node: number, stat: Pick<Stat, "ino" | "kind">) {
    this.node = node;
    this.ino = stat.ino;
    this.kind = stat.kind;
  }

  /** Parts of its content that are kept, by their number. */
  get blocks(): Map<number, Block> {
    this.#blocks ??= new Map();
    return this.#blocks;
  }

  get hasBlocks(): boolean {
    return this.#blocks !== undefined && this.#blocks.size > 0;
  }
}

/** A moment: what was heard then holds while nothing can have changed. */
export interface Stamp {
  readonly atMs: number;
  /** Of the VM: moves when the host may have changed something. */
  readonly epoch: number;
  /** Of the file. */
  readonly changes: number;
  /** The picture of a followed directory that it is a part of: it holds until a change is told. */
  readonly picture: Picture | undefined;
}
