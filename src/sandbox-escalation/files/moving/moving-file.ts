import { type FileKind, type Inode, KnownInodes, type Stat } from "../../../kernel/index.ts";
import type { Seat } from "./seat.ts";

/** Where a file was last found. */
export interface FoundAt {
  readonly seat: Seat;
  readonly inode: Inode;
  /** Whether the file system there was told that somebody holds it. */
  isHeld: boolean;
}

/** One file, wherever it is: its number and the object stay the same, its place is found by its path. */
export class MovingFile implements Inode {
  readonly ino: number;
  readonly kind: FileKind;
  /** Undefined for the root, and for a file whose name was removed. */
  parent: MovingFile | undefined;
  name: string;
  at: FoundAt | undefined;
  last: Stat | undefined;
  holders = 0;
  readonly #children = new KnownInodes<string, MovingFile>();

  constructor(facts: Inode, parent: MovingFile | undefined, name: string) {
    this.ino = facts.ino;
    this.kind = facts.kind;
    this.parent = parent;
    this.name = name;
  }

  child(name: string): MovingFile | undefined {
    return this.#children.get(name);
  }

  adopt(name: string, file: MovingFile): void {
    file.parent = this;
    file.name = name;
    if (this.child(name) === file) return;
    this.#children.set(name, file);
  }

  /** The name leads to nothing any more. */
  disown(name: string): void {
    const file = this.child(name);
    this.#children.delete(name);
    if (file?.parent === this && file.name === name) file.parent = undefined;
  }
}
