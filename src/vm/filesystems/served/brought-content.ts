import { MOUNT_READ_BYTES } from "../../wire/mount-requests.ts";
import type { ServedInode, Stamp } from "./served-inode.ts";

/**
 * All of the file that was last found to be read, where that is not large: it comes along with what is known of it, and
 * saves its reader from asking once more. Its memory is used again for the next.
 */
export class BroughtContent {
  readonly #isFresh: (inode: ServedInode, stamp: Stamp) => boolean;
  #room: Uint8Array | undefined;
  #isOnItsWay = false;
  #kept: Kept | undefined;

  constructor(isFresh: (inode: ServedInode, stamp: Stamp) => boolean) {
    this.#isFresh = isFresh;
  }

  /**
   * Has a file found: `look` is given memory for what comes along, unless another's is on its way, and answers what
   * was found and what came.
   */
  async find(look: (room: Uint8Array | undefined) => Promise<Found>): Promise<Found["inode"]> {
    if (this.#isOnItsWay) return (await look(undefined)).inode;
    this.#isOnItsWay = true;
    this.#kept = undefined;
    this.#room ??= new Uint8Array(MOUNT_READ_BYTES);
    try {
      const { inode, bytes } = await look(this.#room);
      const known = inode?.known;
      const isWhole = bytes.length > 0 && bytes.length === known?.stat.size;
      // They were heard of together: later news of the file say nothing of these bytes.
      if (inode !== undefined && isWhole) this.#kept = { inode, bytes, stamp: known.stamp };
      return inode;
    } finally {
      this.#isOnItsWay = false;
    }
  }

  /** Undefined where it is not here, or may have changed since. */
  read(inode: ServedInode, into: Uint8Array, offset: number): number | undefined {
    const kept = this.#kept;
    if (kept?.inode !== inode || !this.#isFresh(inode, kept.stamp)) return undefined;
    const part = kept.bytes.subarray(offset, offset + into.length);
    into.set(part);
    return part.length;
  }
}

interface Kept {
  readonly inode: ServedInode;
  readonly bytes: Uint8Array;
  readonly stamp: Stamp;
}

interface Found {
  readonly inode: ServedInode | undefined;
  readonly bytes: Uint8Array;
}
