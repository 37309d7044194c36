import { copyText } from "../../abi/text.ts";
import type { MemoryInode } from "./memory-inode.ts";

interface Entry {
  readonly name: string;
  inode: MemoryInode;
  /** Rises with each new name and never comes again: what listings go by. */
  readonly order: number;
}

/**
 * The names in one directory, in the order they were made.
 *
 * Besides the map by name, entries stand in blocks sorted by order, so that a listing finds its
 * place again in logarithmic time and never walks over removed names.
 */
export class DirectoryEntries {
  readonly #byName = new Map<string, Entry>();
  readonly #blocks: Entry[][] = [];
  #nextOrder = 1;

  get size(): number {
    return this.#byName.size;
  }

  find(name: string): MemoryInode | undefined {
    return this.#byName.get(name)?.inode;
  }

  /** Adds a name, or lets an existing one lead elsewhere: it keeps its place in listings. */
  set(name: string, inode: MemoryInode): void {
    const existing = this.#byName.get(name);
    if (existing !== undefined) {
      existing.inode = inode;
      return;
    }
    const entry = { name: copyText(name), inode, order: this.#nextOrder++ };
    this.#byName.set(entry.name, entry);
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.length < BLOCK_ENTRIES) last.push(entry);
    else this.#blocks.push([entry]);
  }

  delete(name: string): void {
    const entry = this.#byName.get(name);
    if (entry === undefined) return;
    this.#byName.delete(name);
    const at = this.#findBlock(entry.order);
    const block = this.#blocks[at] ?? [];
    block.splice(findFrom(block, entry.order), 1);
    if (block.length === 0) this.#blocks.splice(at, 1);
  }

  /** Up to `limit` entries from order `cursor` on, and the order to go on from. */
  page(cursor: number, limit: number): { entries: Entry[]; cursor: number | undefined } {
    const entries: Entry[] = [];
    let at = this.#findBlock(cursor);
    let from = findFrom(this.#blocks[at] ?? [], cursor);
    for (let block = this.#blocks[at]; block !== undefined; block = this.#blocks[++at]) {
      for (; from < block.length; from++) {
        const entry = block[from];
        if (entry === undefined) break;
        if (entries.length === limit) return { entries, cursor: entry.order };
        entries.push(entry);
      }
      from = 0;
    }
    return { entries, cursor: undefined };
  }

  /** The last block that begins at or before `order`, or the first one. */
  #findBlock(order: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#blocks[middle]?.[0]?.order ?? 0) <= order) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Large enough that a million names make few blocks, small enough to cut one out of. */
const BLOCK_ENTRIES = 128;

/** The index of the first entry at or after `order`. */
function findFrom(block: readonly Entry[], order: number): number {
  let low = 0;
  let high = block.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((block[middle]?.order ?? 0) < order) low = middle + 1;
    else high = middle;
  }
  return low;
}
