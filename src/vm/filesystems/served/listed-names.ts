import { ENTRIES_LIMIT } from "../../wire/mount-requests.ts";
import type { ServedInode } from "./served-inode.ts";

interface Listed {
  /** Those that nobody has looked up since. */
  readonly names: Set<string>;
  readonly atMs: number;
  lookups: number;
}

/** Listings that are remembered, and the names of each. */
const LISTINGS_LIMIT = 8;
const NAMES_LIMIT = 4096;
/** How long after a listing one who looks at its names is taken for who listed them. */
const RECENT_MS = 5000;

/**
 * What was listed a moment ago: who lists a directory often looks at all that is in it (`ls -l`, `find`,
 * `rm -r`), and from the second name on is given many at one time.
 */
export class ListedNames {
  readonly #now: () => number;
  /** The oldest first. */
  readonly #listings = new Map<ServedInode, Listed>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A page of a listing, the first at `cursor` 0. */
  keep(
    directory: ServedInode,
    cursor: number,
    entries: readonly { readonly name: string }[],
  ): void {
    const before = cursor === 0 ? undefined : this.#listings.get(directory);
    const listed = before ?? { names: new Set(), atMs: this.#now(), lookups: 0 };
    this.#listings.delete(directory);
    this.#listings.set(directory, listed);
    for (const { name } of entries) {
      if (listed.names.size < NAMES_LIMIT) listed.names.add(name);
    }
    for (const oldest of this.#listings.keys()) {
      if (this.#listings.size <= LISTINGS_LIMIT) return;
      this.#listings.delete(oldest);
    }
  }

  /** The names to look up together with one: none where nobody seems to look at all of them. */
  takeAlong(directory: ServedInode, name: string): readonly string[] {
    const listed = this.#listings.get(directory);
    if (listed?.names.delete(name) !== true) return [];
    listed.lookups += 1;
    if (listed.lookups < 2) return [];
    if (this.#now() - listed.atMs > RECENT_MS) {
      this.#listings.delete(directory);
      return [];
    }
    const along: string[] = [];
    for (const other of listed.names) {
      if (along.length === ENTRIES_LIMIT - 1) break;
      along.push(other);
      listed.names.delete(other);
    }
    return along;
  }
}
