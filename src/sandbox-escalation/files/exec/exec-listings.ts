import { createHash } from "node:crypto";
import { type DirectoryEntry, type DirectoryPage, encodeText } from "../../../kernel/index.ts";
import type { ExecFile } from "./exec-paths.ts";

/** Listings that are kept for who reads the next page, and for how long. */
const KEPT_LIMIT = 4;
const KEPT_MS = 2000;

export class RecentListings {
  readonly #kept = new Map<
    ExecFile,
    { readonly entries: readonly DirectoryEntry[]; readonly atMs: number }
  >();

  find(directory: ExecFile): readonly DirectoryEntry[] | undefined {
    const kept = this.#kept.get(directory);
    return kept === undefined || Date.now() - kept.atMs > KEPT_MS ? undefined : kept.entries;
  }

  keep(directory: ExecFile, entries: readonly DirectoryEntry[]): void {
    this.#kept.delete(directory);
    this.#kept.set(directory, { entries, atMs: Date.now() });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_LIMIT) return;
      this.#kept.delete(oldest);
    }
  }

  forget(directory: ExecFile): void {
    this.#kept.delete(directory);
  }
}

/** A page of a whole listing, in an order that follows from the names: a cursor needs no memory. */
export function pageOf(
  all: readonly DirectoryEntry[],
  cursor: number,
  limit: number,
): DirectoryPage {
  const ordered = all
    .map((entry) => ({ entry, position: positionOf(entry.name) }))
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
