import { HOLDS_LIMIT, type MountHolds } from "../../wire/mount-requests.ts";
import type { ServedInode } from "./served-inode.ts";

/** Files that the server is to hold from now on, or no longer: it is told with the next request. */
export class PendingHolds {
  readonly #pending = new Map<ServedInode, keyof MountHolds>();

  get isEmpty(): boolean {
    return this.#pending.size === 0;
  }

  /** One undoes the other where the server has not been told of it yet. */
  add(inode: ServedInode, what: keyof MountHolds): void {
    const before = this.#pending.get(inode);
    if (before !== undefined && before !== what) this.#pending.delete(inode);
    else this.#pending.set(inode, what);
  }

  /** As many as go with one request. */
  take(): MountHolds {
    const taken = { hold: [] as number[], release: [] as number[] };
    let room = HOLDS_LIMIT;
    for (const [inode, what] of this.#pending) {
      if (room === 0) break;
      room -= 1;
      taken[what].push(inode.node);
      this.#pending.delete(inode);
    }
    return {
      ...(taken.hold.length === 0 ? {} : { hold: taken.hold }),
      ...(taken.release.length === 0 ? {} : { release: taken.release }),
    };
  }
}
