import type { ServedInode, Stamp } from "./served-inode.ts";

/** A part of a file's content, here or on its way. */
export interface Block {
  readonly inode: ServedInode;
  readonly number: number;
  readonly bytes: Uint8Array | Promise<Uint8Array>;
  /** What it takes, as far as that is known. */
  readonly sizeBytes: number;
  stamp: Stamp;
  /** Fetched ahead of its first use. */
  isAhead: boolean;
}

/** What is fetched and kept at one time; the last of a file is shorter. */
export const BLOCK_BYTES = 1 << 18;
/** What a block takes beside its bytes. */
const OVERHEAD_BYTES = 256;

/** The contents of files that are kept, block by block, the least used leaving first. All mounts of a VM share one. */
export class ContentCache {
  readonly #limitBytes: number;
  /** Least used first. */
  readonly #blocks = new Set<Block>();
  #bytes = 0;
  #drops = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get heldBytes(): number {
    return this.#bytes;
  }

  /** Blocks that had to leave for others. */
  get drops(): number {
    return this.#drops;
  }

  use(block: Block): void {
    this.#blocks.delete(block);
    this.#blocks.add(block);
  }

  keep(block: Block): void {
    const before = block.inode.blocks.get(block.number);
    if (before !== undefined) this.drop(before);
    block.inode.blocks.set(block.number, block);
    this.#blocks.add(block);
    this.#bytes += sizeOf(block);
    for (const oldest of this.#blocks) {
      if (this.#bytes <= this.#limitBytes || oldest === block) return;
      this.drop(oldest);
      this.#drops += 1;
    }
  }

  drop(block: Block): void {
    if (!this.#blocks.delete(block)) return;
    this.#bytes -= sizeOf(block);
    const { inode, number } = block;
    if (inode.blocks.get(number) === block) inode.blocks.delete(number);
  }

  dropAll(inode: ServedInode): void {
    if (!inode.hasBlocks) return;
    for (const block of [...inode.blocks.values()]) this.drop(block);
  }
}

function sizeOf({ sizeBytes }: Block): number {
  return sizeBytes + OVERHEAD_BYTES;
}
