import type { Picture } from "./picture.ts";
import type { ServedInode } from "./served-inode.ts";

/** What one picture takes beside its entries, counted in entries. */
const PICTURE_ENTRIES = 4;

/** The pictures of directories that are kept, the least used leaving first. All mounts of a VM share one. */
export class PictureCache {
  /** Entries of all pictures together, and so of one. */
  readonly #limit: number;
  /** Least used first, with what each was counted as. */
  readonly #kept = new Map<ServedInode, number>();
  #entries = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get entries(): number {
    return this.#entries;
  }

  /** Whether there is room for a picture with so many entries, if all others leave. */
  canKeep(entries: number): boolean {
    return entries + PICTURE_ENTRIES <= this.#limit;
  }

  /** Takes the place of the directory's last one. */
  keep(directory: ServedInode, picture: Picture): void {
    directory.picture = picture;
    this.count(directory);
  }

  /** Its picture is used, or has more entries than before. One that has outgrown its room leaves. */
  count(directory: ServedInode): void {
    const entries = (directory.picture?.entries.size ?? 0) + PICTURE_ENTRIES;
    this.#entries += entries - (this.#kept.get(directory) ?? 0);
    this.#kept.delete(directory);
    this.#kept.set(directory, entries);
    for (const oldest of this.#kept.keys()) {
      if (this.#entries <= this.#limit) return;
      this.drop(oldest);
    }
  }

  drop(directory: ServedInode): void {
    this.#entries -= this.#kept.get(directory) ?? 0;
    this.#kept.delete(directory);
    directory.picture = undefined;
  }
}
