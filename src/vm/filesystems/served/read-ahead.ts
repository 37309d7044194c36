import { MOUNT_READ_BYTES } from "../../wire/mount-requests.ts";
import type { ServedInode, Stamp } from "./served-inode.ts";

/** A part of a file's content, here or on its way. */
export interface Block {
  readonly inode: ServedInode;
  readonly number: number;
  readonly stamp: Stamp;
  readonly bytes: Promise<Uint8Array>;
}

/** How many bytes, and where they are to be put if that is said. */
export interface Wanted {
  readonly length: number;
  readonly into?: Uint8Array;
}

export interface ReadAheadParts {
  /** At most as many bytes as asked for; fewer at the end of the file. */
  readonly fetch: (inode: ServedInode, offset: number, wanted: Wanted) => Promise<Uint8Array>;
  readonly stamp: (inode: ServedInode) => Stamp;
  readonly isFresh: (inode: ServedInode, stamp: Stamp) => boolean;
}

/** What is fetched and kept at one time. */
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
    const size = this.#sizeOf(inode);
    // Who reads to the end asks once more behind it.
    if (into.length === 0 || (size !== undefined && offset >= size)) return 0;
    const isInOrder = offset === 0 || offset === inode.readEnd;
    const isSmall = into.length < SMALL_BYTES;
    const count =
      isInOrder || !isSmall
        ? await this.#readBlocks(inode, into, offset)
        : await this.#fetchInto(inode, into, offset);
    inode.readEnd = offset + count;
    return count;
  }

  /** The content has changed. */
  forget(inode: ServedInode): void {
    for (const block of inode.blocks.values()) this.#blocks.delete(block);
    inode.blocks.clear();
  }

  async #readBlocks(inode: ServedInode, into: Uint8Array, offset: number): Promise<number> {
    let done = 0;
    while (done < into.length) {
      const at = offset + done;
      const rest = into.subarray(done);
      const step = this.#wantsMuch(inode, rest, at)
        ? await this.#readMuch(inode, rest, at)
        : await this.#readBlock(inode, rest, at);
      done += step.count;
      if (step.isEnd) break;
    }
    return done;
  }

  /** Attributes that hold now; undefined where they are old, or say nothing. */
  #sizeOf(inode: ServedInode): number | undefined {
    const { known } = inode;
    if (known === undefined || !this.#parts.isFresh(inode, known.stamp)) return undefined;
    return known.stat.size > 0 ? known.stat.size : undefined;
  }

  #wantsMuch(inode: ServedInode, into: Uint8Array, offset: number): boolean {
    const rest = (this.#sizeOf(inode) ?? Infinity) - offset;
    const isMuch = Math.min(into.length, rest) >= BLOCK_BYTES;
    const kept = inode.blocks.get(Math.floor(offset / BLOCK_BYTES));
    return isMuch && (kept === undefined || !this.#parts.isFresh(inode, kept.stamp));
  }

  /** Straight to where it is wanted: who reads so much does not come back for it. */
  async #readMuch(inode: ServedInode, into: Uint8Array, offset: number): Promise<Step> {
    const rest = (this.#sizeOf(inode) ?? Infinity) - offset;
    const wanted = into.subarray(0, Math.min(MOUNT_READ_BYTES, rest));
    const count = await this.#fetchInto(inode, wanted, offset);
    return { count, isEnd: count < wanted.length || count === rest };
  }

  async #readBlock(inode: ServedInode, into: Uint8Array, offset: number): Promise<Step> {
    const number = Math.floor(offset / BLOCK_BYTES);
    const block = this.#block(inode, number);
    this.#fetchAhead(inode, number, Math.ceil((offset + into.length) / BLOCK_BYTES));
    const bytes = await block.bytes;
    const start = offset - number * BLOCK_BYTES;
    const part = bytes.subarray(start, start + into.length);
    into.set(part);
    // A reader in order does not come back; a small file is read again.
    if (start + part.length === BLOCK_BYTES && number > 0) this.#dropBefore(inode, number);
    return { count: part.length, isEnd: bytes.length < BLOCK_BYTES };
  }

  async #fetchInto(inode: ServedInode, into: Uint8Array, offset: number): Promise<number> {
    const bytes = await this.#parts.fetch(inode, offset, { length: into.length, into });
    if (bytes.buffer !== into.buffer) into.set(bytes);
    return bytes.length;
  }

  /** Those that this read wants; where the file is short or was read up to here, those that it wants next. */
  #fetchAhead(inode: ServedInode, number: number, wantedEnd: number): void {
    const size = this.#sizeOf(inode);
    const fileEnd = size === undefined ? undefined : Math.ceil(size / BLOCK_BYTES);
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
    const bytes = this.#parts.fetch(inode, number * BLOCK_BYTES, { length: BLOCK_BYTES });
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

interface Step {
  readonly count: number;
  readonly isEnd: boolean;
}
