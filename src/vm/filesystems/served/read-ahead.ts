import type { ServedInode, Stamp } from "./served-inode.ts";

/** A part of a file's content, here or on its way. */
export interface Block {
  readonly inode: ServedInode;
  readonly number: number;
  readonly stamp: Stamp;
  readonly bytes: Promise<Uint8Array>;
}

export interface ReadAheadParts {
  /** At most as many bytes as asked for; fewer at the end of the file. */
  readonly fetch: (inode: ServedInode, offset: number, length: number) => Promise<Uint8Array>;
  readonly stamp: (inode: ServedInode) => Stamp;
  readonly isFresh: (inode: ServedInode, stamp: Stamp) => boolean;
}

/** What one reply carries (CHUNK_BYTES of the wire). */
export const BLOCK_BYTES = 1 << 18;
/** Blocks on their way for a reader in order. */
const AHEAD = 4;
/** Blocks that a mount keeps: enough for a few readers. */
const BLOCKS_LIMIT = 32;
/** Reads of less, out of order, fetch what they want and nothing more. */
const SMALL_BYTES = 1 << 16;

/**
 * The content of served files, fetched a little ahead of whoever reads in order. What is kept is used for
 * moments only, and never after anything could have changed it that this VM knows of.
 */
export class ReadAhead {
  readonly #parts: ReadAheadParts;
  /** Least used first. */
  readonly #blocks = new Set<Block>();

  constructor(parts: ReadAheadParts) {
    this.#parts = parts;
  }

  async read(inode: ServedInode, into: Uint8Array, offset: number): Promise<number> {
    const isInOrder = offset === 0 || offset === inode.readEnd;
    const isSmall = into.length < SMALL_BYTES;
    const count =
      isInOrder || !isSmall
        ? await this.#readBlocks(inode, into, offset)
        : await this.#readDirectly(inode, into, offset);
    inode.readEnd = offset + count;
    return count;
  }

  /** The content has changed. */
  forget(inode: ServedInode): void {
    for (const block of inode.blocks.values()) this.#blocks.delete(block);
    inode.blocks.clear();
  }

  async #readDirectly(inode: ServedInode, into: Uint8Array, offset: number): Promise<number> {
    if (into.length === 0) return 0;
    const bytes = await this.#parts.fetch(inode, offset, into.length);
    into.set(bytes);
    return bytes.length;
  }

  async #readBlocks(inode: ServedInode, into: Uint8Array, offset: number): Promise<number> {
    let done = 0;
    while (done < into.length) {
      const at = offset + done;
      const number = Math.floor(at / BLOCK_BYTES);
      const block = this.#block(inode, number);
      this.#fetchAhead(inode, number, Math.ceil((offset + into.length) / BLOCK_BYTES));
      const bytes = await block.bytes;
      const start = at - number * BLOCK_BYTES;
      const part = bytes.subarray(start, start + into.length - done);
      into.set(part, done);
      done += part.length;
      if (bytes.length < BLOCK_BYTES) break;
      // A reader in order does not come back; a small file is read again.
      if (start + part.length === BLOCK_BYTES && number > 0) this.#dropBefore(inode, number);
    }
    return done;
  }

  /** Those that this read wants; where the file is short or was read up to here, those that it wants next. */
  #fetchAhead(inode: ServedInode, number: number, wantedEnd: number): void {
    const { known } = inode;
    const isKnown = known !== undefined && this.#parts.isFresh(inode, known.stamp);
    const fileEnd = isKnown ? Math.ceil(known.stat.size / BLOCK_BYTES) : undefined;
    const wasRead = number > 0 && inode.blocks.has(number - 1);
    const isReadOn = fileEnd !== undefined && (wasRead || fileEnd <= AHEAD);
    const end = isReadOn ? fileEnd : Math.min(wantedEnd, fileEnd ?? wantedEnd);
    for (let next = number + 1; next < Math.min(end, number + AHEAD); next++) {
      this.#block(inode, next);
    }
  }

  #block(inode: ServedInode, number: number): Block {
    const kept = inode.blocks.get(number);
    if (kept !== undefined && this.#parts.isFresh(inode, kept.stamp)) {
      this.#blocks.delete(kept);
      this.#blocks.add(kept);
      return kept;
    }
    if (kept !== undefined) this.#drop(kept);
    const stamp = this.#parts.stamp(inode);
    const bytes = this.#parts.fetch(inode, number * BLOCK_BYTES, BLOCK_BYTES);
    const block = { inode, number, stamp, bytes };
    inode.blocks.set(number, block);
    this.#blocks.add(block);
    for (const oldest of this.#blocks) {
      if (this.#blocks.size <= BLOCKS_LIMIT) break;
      this.#drop(oldest);
    }
    // Whoever waits for it is told; nobody else need know.
    bytes.catch(() => this.#drop(block));
    return block;
  }

  /** What was read in order up to a block leaves, all but that one. */
  #dropBefore(inode: ServedInode, number: number): void {
    const before = inode.blocks.get(number - 1);
    if (before !== undefined) this.#drop(before);
  }

  #drop(block: Block): void {
    this.#blocks.delete(block);
    if (block.inode.blocks.get(block.number) === block) block.inode.blocks.delete(block.number);
  }
}
