import { createHash } from "node:crypto";
import { type DirectoryPage, encodeText, type Stat } from "../../../kernel/index.ts";
import type { ExecFile } from "./exec-paths.ts";

/** Listings that are kept for who reads the next page, and for how long. */
const KEPT_LIMIT = 4;
const KEPT_MS = 2000;

/** What a listing says of a file is believed for as long as a VM believes what it has heard. */
const BELIEVED_MS = 1000;

/** What a directory held: by name. */
export type Listing = ReadonlyMap<string, Stat>;

export class RecentListings {
  readonly #kept = new Map<ExecFile, { readonly listing: Listing; readonly atMs: number }>();

  /** For the next page. */
  find(directory: ExecFile): Listing | undefined {
    const kept = this.#kept.get(directory);
    return kept === undefined || Date.now() - kept.atMs > KEPT_MS ? undefined : kept.listing;
  }

  /** What was said of a file a moment ago, so that whoever lists and then looks at each asks once. */
  findFacts(directory: ExecFile, name: string): Stat | undefined {
    const kept = this.#kept.get(directory);
    if (kept === undefined || Date.now() - kept.atMs > BELIEVED_MS) return undefined;
    return kept.listing.get(name);
  }

  /** Something has changed. */
  clear(): void {
    this.#kept.clear();
  }

  keep(directory: ExecFile, listing: Listing): void {
    this.#kept.delete(directory);
    this.#kept.set(directory, { listing, atMs: Date.now() });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_LIMIT) return;
      this.#kept.delete(oldest);
    }
  }
}

/** A page of a whole listing, in an order that follows from the names: a cursor needs no memory. */
export function pageOf(all: Listing, cursor: number, limit: number): DirectoryPage {
  const ordered = [...all]
    .map(([name, { kind, ino }]) => ({ entry: { name, kind, ino }, position: positionOf(name) }))
    .filter(({ position }) => position >= cursor)
    .sort((a, b) => a.position - b.position);
  const page = ordered.slice(0, limit);
  const last = page.at(-1);
  const hasMore = ordered.length > limit && last !== undefined;
  return {
    entries: page.map(({ entry }) => entry),
    cursor: hasMore ? last.position + 1 : undefined,
  };
}

/** Below 2⁵². */
function positionOf(name: string): number {
  const digest = createHash("sha1").update(encodeText(name)).digest();
  return digest.readUIntBE(0, 6) * 16 + ((digest[6] ?? 0) >> 4);
}
