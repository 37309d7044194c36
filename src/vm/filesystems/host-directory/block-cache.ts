import type { HostInode } from "./host-inode.ts";

/** A part of a file's content, here or on its way. */
export interface Block {
  readonly inode: HostInode;
  readonly number: number;
  readonly sizeBytes: number;
  readonly bytes: Promise<Uint8Array>;
}

/** The contents of files that are kept, block by block, the least used leaving first. */
export class BlockCache {
  readonly #limitBytes: number;
  /** Least used first. */
  readonly #blocks = new Set<Block>();
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get heldBytes(): number {
    return this.#bytes;
  }

  find(inode: HostInode, number: number): Block | undefined {
    const block = inode.blocks.get(number);
    if (block === undefined) return undefined;
    this.#blocks.delete(block);
    this.#blocks.add(block);
    return block;
  }

  /** Keeps a block until others need its room, or it turns out that it cannot be had. */
  keep(block: Block): void {
    block.inode.blocks.set(block.number, block);
    this.#blocks.add(block);
    this.#bytes += block.sizeBytes;
    for (const oldest of this.#blocks) {
      if (this.#bytes <= this.#limitBytes || oldest === block) break;
      this.#drop(oldest);
    }
    block.bytes.catch(() => this.#drop(block));
  }

  #drop(block: Block): void {
    if (!this.#blocks.delete(block)) return;
    this.#bytes -= block.sizeBytes;
    block.inode.blocks.delete(block.number);
  }
}
