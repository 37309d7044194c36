import { type DirectoryPage, firstFrom, type Stat } from "../../../kernel/index.ts";
import type { ExecFile } from "./exec-paths.ts";

/** Listings that are kept for who reads the next page, and for how long after the last. */
const KEPT_LIMIT = 4;
const KEPT_MS = 2000;

/** What a listing says of a file is believed for as long as a VM believes what it has heard. */
const BELIEVED_MS = 1000;

type Entry = DirectoryPage["entries"][number];

/** What a directory held: by name, and page by page in an order that follows from the names: a cursor needs no memory. */
export class Listing {
  readonly facts: ReadonlyMap<string, Stat>;
  /** Made once: a directory may have many thousand pages. */
  #ordered: readonly { readonly entry: Entry; readonly position: number }[] | undefined;

  constructor(facts: ReadonlyMap<string, Stat>) {
    this.facts = facts;
  }

  page(cursor: number, limit: number): DirectoryPage {
    this.#ordered ??= [...this.facts]
      .map(([name, { kind, ino }]) => ({ entry: { name, kind, ino }, position: positionOf(name) }))
      .sort((a, b) => a.position - b.position);
    const start = firstFrom(this.#ordered, cursor);
    const page = this.#ordered.slice(start, start + limit);
    const last = page.at(-1);
    const hasMore = start + limit < this.#ordered.length && last !== undefined;
    return {
      entries: page.map(({ entry }) => entry),
      cursor: hasMore ? last.position + 1 : undefined,
    };
  }
}

export class RecentListings {
  readonly #kept = new Map<ExecFile, Kept>();

  /** For the next page. */
  find(directory: ExecFile): Listing | undefined {
    const kept = this.#kept.get(directory);
    const nowMs = Date.now();
    if (kept === undefined || nowMs - kept.usedMs > KEPT_MS) return undefined;
    kept.usedMs = nowMs;
    return kept.listing;
  }

  /** What was said of a file a moment ago, so that whoever lists and then looks at each asks once. */
  findFacts(directory: ExecFile, name: string): Stat | undefined {
    const kept = this.#kept.get(directory);
    if (kept === undefined || Date.now() - kept.atMs > BELIEVED_MS) return undefined;
    return kept.listing.facts.get(name);
  }

  /** Something has changed. */
  clear(): void {
    this.#kept.clear();
  }

  keep(directory: ExecFile, listing: Listing): void {
    this.#kept.delete(directory);
    const atMs = Date.now();
    this.#kept.set(directory, { listing, atMs, usedMs: atMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_LIMIT) return;
      this.#kept.delete(oldest);
    }
  }
}

interface Kept {
  readonly listing: Listing;
  readonly atMs: number;
  usedMs: number;
}

/**
 * Below 2⁵²: two halves, each mixed as FNV-1a and MurmurHash do. A sandbox can make two names fall together, and so
 * hide one of its own files; it could leave that out as well.
 */
function positionOf(name: string): number {
  let low = 0x811c9dc5;
  let high = 0x01234567;
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b) ^ (low >>> 15);
  }
  return (high >>> 6) * 2 ** 26 + (low >>> 6);
}
