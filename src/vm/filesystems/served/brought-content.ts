import { MOUNT_READ_BYTES } from "../../wire/mount-requests.ts";
import type { ServedInode } from "./served-inode.ts";

/**
 * All of the file that was last found to be read, where that is not large: it comes along with what is known of it, and
 * saves its reader from asking once more. Its memory is used again for the next.
 */
export class BroughtContent {
  readonly #isFresh: (inode: ServedInode) => boolean;
  #room: Uint8Array | undefined;
  #isOnItsWay = false;
  #kept: { readonly inode: ServedInode; readonly bytes: Uint8Array } | undefined;

  /** `isFresh`: whether what was last heard of a file holds. */
  constructor(isFresh: (inode: ServedInode) => boolean) {
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
      const isWhole = bytes.length > 0 && bytes.length === inode?.known?.stat.size;
      if (inode !== undefined && isWhole) this.#kept = { inode, bytes };
      return inode;
    } finally {
      this.#isOnItsWay = false;
    }
  }

  /** Undefined where it is not here, or may have changed since. */
  read(inode: ServedInode, into: Uint8Array, offset: number): number | undefined {
    if (this.#kept?.inode !== inode || !this.#isFresh(inode)) return undefined;
    const part = this.#kept.bytes.subarray(offset, offset + into.length);
    into.set(part);
    return part.length;
  }
}

interface Found {
  readonly inode: ServedInode | undefined;
  readonly bytes: Uint8Array;
}
