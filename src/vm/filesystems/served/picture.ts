import { firstFrom } from "../../../kernel/index.ts";
import type { ServedInode, Stamp } from "./served-inode.ts";

/** A name of a directory: the file it leads to, or that there is none. */
export interface Entry {
  readonly inode: ServedInode | undefined;
  readonly stamp: Stamp;
}

interface Ordered {
  readonly position: number;
  readonly inode: ServedInode;
  readonly name: string;
}

/** What is known of what is in a directory: some names, or all of them. */
export class Picture {
  readonly entries = new Map<string, Entry>();
  /** Whether the directory has no other names, but for those in `unknown`. */
  readonly isComplete: boolean;
  /** The server tells what is changed in it, as long as this is the mount's era. */
  readonly followed: number | undefined;
  /** When it was asked for; names without an entry are known to be absent since then. */
  readonly stamp: Stamp;
  /** Names that were changed since. */
  readonly unknown = new Set<string>();
  /** Files of it that were read, and directories of it that were surveyed: who walks a tree goes on with the others. */
  reads = 0;
  surveys = 0;
  #order: readonly Ordered[] | undefined;

  constructor(
    stamp: Omit<Stamp, "picture">,
    { isComplete = false, followed }: { isComplete?: boolean; followed?: number | undefined } = {},
  ) {
    this.isComplete = isComplete;
    this.followed = followed;
    this.stamp = { ...stamp, picture: followed === undefined ? undefined : this };
  }

  set(name: string, entry: Entry): void {
    this.entries.set(name, entry);
    this.unknown.delete(name);
    this.#order = undefined;
  }

  /** A name is not what it was. */
  forget(name: string): void {
    this.entries.delete(name);
    if (this.isComplete) this.unknown.add(name);
    this.#order = undefined;
  }

  /** A name is gone for certain. */
  remove(name: string): void {
    this.entries.delete(name);
    this.unknown.delete(name);
    this.#order = undefined;
  }

  /** Its files in the order of listings, which follows from their names alone. */
  order(positionOf: (name: string) => number): readonly Ordered[] {
    this.#order ??= [...this.entries]
      .flatMap(([name, { inode }]) =>
        inode === undefined ? [] : [{ position: positionOf(name), inode, name }],
      )
      .sort((a, b) => a.position - b.position);
    return this.#order;
  }

  /** The files behind a position, then those before it. */
  *around(position: number, positionOf: (name: string) => number): Generator<ServedInode> {
    const order = this.order(positionOf);
    const start = firstFrom(order, position + 1);
    for (let at = start; at < order.length; at++) yield* inodeAt(order, at);
    for (let at = 0; at < start; at++) yield* inodeAt(order, at);
  }
}

function* inodeAt(order: readonly Ordered[], at: number): Generator<ServedInode> {
  const ordered = order[at];
  if (ordered !== undefined) yield ordered.inode;
}
