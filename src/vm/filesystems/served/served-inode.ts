import type { FileKind, Inode, Stat } from "../../../kernel/index.ts";
import type { Entry } from "./known-entries.ts";
import type { Block } from "./read-ahead.ts";

/** A file whose file system the server has, and what was last heard of it. */
export class ServedInode implements Inode {
  readonly ino: number;
  readonly kind: FileKind;
  /** What the server calls it, until it needs the room. */
  node: number;
  /** By which name it is found again; undefined for the root. */
  parent: ServedInode | undefined;
  name: string;
  /** Attributes as they were at a moment. */
  known: { readonly stat: Stat; readonly stamp: Stamp } | undefined;
  /** Moves with every change of content or attributes that this VM makes. */
  changes = 0;
  holders = 0;
  readonly blocks = new Map<number, Block>();
  /** What was found in it. Only directories have it. */
  readonly entries = new Map<string, Entry>();
  /** Where the last read ended: one that begins there is in order. */
  readEnd = 0;

  constructor(node: number, stat: Pick<Stat, "ino" | "kind">) {
    this.node = node;
    this.ino = stat.ino;
    this.kind = stat.kind;
    this.parent = undefined;
    this.name = "";
  }
}

/** A moment: what was heard then holds while nothing can have changed. */
export interface Stamp {
  readonly atMs: number;
  /** Of the mount: moves when the host may have changed something. */
  readonly epoch: number;
  /** Of the file; undefined where it was not known which file it would be. */
  readonly changes: number | undefined;
  /** Of all files of the mount together. */
  readonly allChanges: number;
}
