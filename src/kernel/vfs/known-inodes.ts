import type { Inode } from "./file-system.ts";

/** Fewer are not worth a look at which are still there. */
const LEAST = 1024;

/**
 * The inodes that somebody may hold, by what tells their files apart: one object for one file, as long as it lives.
 * Those that nobody holds any more are looked for when twice as many have come as were left the last time: a
 * FinalizationRegistry would take longer than all else that is done for a file.
 */
export class KnownInodes<K, I extends Inode> {
  readonly #inodes = new Map<K, WeakRef<I>>();
  #most = LEAST;

  /** Of all that are remembered, those included that are gone. */
  get size(): number {
    return this.#inodes.size;
  }

  get(key: K): I | undefined {
    return this.#inodes.get(key)?.deref();
  }

  set(key: K, inode: I): void {
    this.#inodes.set(key, new WeakRef(inode));
    if (this.#inodes.size > this.#most) this.#forgetGone();
  }

  delete(key: K): void {
    this.#inodes.delete(key);
  }

  #forgetGone(): void {
    for (const [key, inode] of this.#inodes) {
      if (inode.deref() === undefined) this.#inodes.delete(key);
    }
    this.#most = Math.max(LEAST, 2 * this.#inodes.size);
  }
}
