import type { ServedInode, Stamp } from "./served-inode.ts";

/** A name of a directory: the file it leads to, or that there is none. */
export interface Entry {
  readonly inode: ServedInode | undefined;
  readonly stamp: Stamp;
}

/** What a directory has by that name. */
export interface Named {
  readonly name: string;
  readonly inode: ServedInode;
}

interface Ordered extends Named {
  readonly position: number;
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
  /** When all of its files were fetched ahead, or passed over. */
  goneThrough: number | undefined;
  #order: readonly Ordered[] | undefined;
  #byName: readonly Named[] | undefined;
  #directories: readonly Named[] | undefined;

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
    this.#forgetOrder();
  }

  /** A name is not what it was. */
  forget(name: string): void {
    this.entries.delete(name);
    if (this.isComplete) this.unknown.add(name);
    this.#forgetOrder();
  }

  /** A name is gone for certain. */
  remove(name: string): void {
    this.entries.delete(name);
    this.unknown.delete(name);
    this.#forgetOrder();
  }

  /** Its files in the order of listings of several pages, which follows from each name alone. */
  order(positionOf: (name: string) => number): readonly Ordered[] {
    this.#order ??= [...this.entries]
      .flatMap(([name, { inode }]) =>
        inode === undefined ? [] : [{ position: positionOf(name), inode, name }],
      )
      .sort((a, b) => a.position - b.position);
    return this.#order;
  }

  /** Its files by their names: the order of a listing that is one page, and so of whoever walks a tree. */
  get byName(): readonly Named[] {
    this.#byName ??= [...this.entries]
      .flatMap(([name, { inode }]) => (inode === undefined ? [] : [{ name, inode }]))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return this.#byName;
  }

  /** Its directories, in the same order. */
  get directories(): readonly Named[] {
    this.#directories ??= this.byName.filter(({ inode }) => inode.kind === "directory");
    return this.#directories;
  }

  #forgetOrder(): void {
    this.#order = undefined;
    this.#byName = undefined;
    this.#directories = undefined;
    this.goneThrough = undefined;
  }
}
