import type { ServedInode, Stamp } from "./served-inode.ts";

/** A name that was found in a directory. */
export interface Entry {
  readonly parent: ServedInode;
  readonly name: string;
  readonly inode: ServedInode;
  readonly stamp: Stamp;
}

/** Names of a mount that are remembered. */
const ENTRIES_LIMIT = 4096;

/** Names that were found, for moments: a walk passes the same directories again and again. */
export class KnownEntries {
  /** Least used first. */
  readonly #entries = new Set<Entry>();

  find(parent: ServedInode, name: string): Entry | undefined {
    const entry = parent.entries.get(name);
    if (entry === undefined) return undefined;
    this.#entries.delete(entry);
    this.#entries.add(entry);
    return entry;
  }

  keep(entry: Entry): void {
    this.forget(entry.parent, entry.name);
    entry.parent.entries.set(entry.name, entry);
    this.#entries.add(entry);
    for (const oldest of this.#entries) {
      if (this.#entries.size <= ENTRIES_LIMIT) return;
      this.#drop(oldest);
    }
  }

  /** Answers what was there, however long ago. */
  forget(parent: ServedInode, name: string): ServedInode | undefined {
    const entry = parent.entries.get(name);
    if (entry !== undefined) this.#drop(entry);
    return entry?.inode;
  }

  #drop(entry: Entry): void {
    this.#entries.delete(entry);
    entry.parent.entries.delete(entry.name);
  }
}
