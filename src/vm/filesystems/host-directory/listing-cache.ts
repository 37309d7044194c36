import { KernelError } from "../../../kernel/index.ts";
import type { FolderEntry } from "../../wire/listing.ts";
import { HostInode } from "./host-inode.ts";

/** What is in a directory: by position, and by name. */
export interface Listing {
  readonly files: readonly HostInode[];
  readonly byName: ReadonlyMap<string, HostInode>;
}

/** What the root of each host directory has; no other file has it. */
export const ROOT_INO = 1;
/** Dead references are looked for when there are twice as many as last time, and this many at least. */
const SWEEP_FROM = 4096;

/**
 * The listings that are kept, the least used leaving first. A file somebody still holds when its
 * directory's listing leaves is the same object when it is listed again.
 */
export class ListingCache {
  readonly #limit: number;
  /** Directories with a listing, least used first. */
  readonly #kept = new Set<HostInode>();
  readonly #fetching = new Map<HostInode, Promise<Listing>>();
  readonly #departed = new Map<HostInode, Map<string, WeakRef<HostInode>>>();
  #lastIno = ROOT_INO;
  #entries = 0;
  #departedCount = 0;
  #sweepAt = SWEEP_FROM;

  /** `limit`: entries of all listings together, and so of one directory. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get entries(): number {
    return this.#entries;
  }

  /** The listing of a directory where it is kept. */
  find(directory: HostInode): Listing | undefined {
    const { listing } = directory;
    if (listing === undefined) return undefined;
    this.#kept.delete(directory);
    this.#kept.add(directory);
    return listing;
  }

  /** Fetches a listing, once for all who want it. Fails as `fetch` does: then nothing is kept. */
  async fetch(
    directory: HostInode,
    fetch: () => Promise<readonly FolderEntry[]>,
  ): Promise<Listing> {
    const fetching = this.#fetching.get(directory);
    if (fetching !== undefined) return fetching;
    const listing = fetch().then((entries) => this.#keep(directory, entries));
    this.#fetching.set(directory, listing);
    try {
      return await listing;
    } finally {
      this.#fetching.delete(directory);
    }
  }

  /** EOVERFLOW when a directory with so many entries could not be kept. */
  requireRoom(entries: number): void {
    if (entries <= this.#limit) return;
    const reason = `of a directory of software this VM can hold ${this.#limit} entries`;
    throw new KernelError("EOVERFLOW", undefined, reason);
  }

  #keep(directory: HostInode, entries: readonly FolderEntry[]): Listing {
    this.requireRoom(entries.length);
    const departed = this.#departed.get(directory);
    this.#departed.delete(directory);
    this.#departedCount -= departed?.size ?? 0;
    const byName = new Map<string, HostInode>();
    for (const entry of entries) {
      const known = departed?.get(entry.name)?.deref();
      byName.set(entry.name, known ?? new HostInode(entry, directory, this.#nextIno()));
    }
    const listing = { files: [...byName.values()], byName };
    directory.listing = listing;
    this.#kept.add(directory);
    this.#entries += byName.size;
    this.#shrink();
    return listing;
  }

  /** The host's own numbers can be too large, and those of two of its file systems the same. */
  #nextIno(): number {
    this.#lastIno += 1;
    return this.#lastIno;
  }

  #shrink(): void {
    for (const directory of this.#kept) {
      if (this.#entries <= this.#limit) break;
      this.#drop(directory);
    }
    if (this.#departedCount >= this.#sweepAt) this.#sweep();
  }

  #drop(directory: HostInode): void {
    const files = directory.listing?.files ?? [];
    directory.listing = undefined;
    this.#kept.delete(directory);
    this.#entries -= files.length;
    this.#departedCount += files.length;
    this.#departed.set(directory, new Map(files.map((file) => [file.name, new WeakRef(file)])));
  }

  #sweep(): void {
    this.#departedCount = 0;
    for (const [directory, files] of this.#departed) {
      for (const [name, file] of files) if (file.deref() === undefined) files.delete(name);
      this.#departedCount += files.size;
      if (files.size === 0) this.#departed.delete(directory);
    }
    this.#sweepAt = Math.max(SWEEP_FROM, this.#departedCount * 2);
  }
}
