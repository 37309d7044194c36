import { IN_ACCESS, IN_CLOSE_NOWRITE } from "../abi/inotify.ts";
import { KernelError } from "../abi/kernel-error.ts";
import { SEEK_SET } from "../abi/open-flags.ts";
import type { DirectoryEntry, Stat } from "../abi/stat.ts";
import type { Answer } from "../answer.ts";
import { OpenFile } from "../fd/open-file.ts";
import { type Place, relocate } from "./place.ts";
import { PositionLock } from "./position-lock.ts";
import type { PlacedFile, Vfs } from "./vfs.ts";

/** An open directory: reads entries in pages, seeks only back to its start. */
export class DirectoryFile extends OpenFile implements PlacedFile {
  readonly #vfs: Vfs;
  #place: Place;
  /** Where the next page begins; undefined at the end. */
  #cursor: number | undefined = 0;
  readonly #position = new PositionLock();

  constructor(vfs: Vfs, place: Place, flags: number) {
    super(flags);
    this.#vfs = vfs;
    this.#place = place;
    vfs.opened(this);
    place.mount.fileSystem.retain(place.inode);
  }

  override get place(): Place {
    return this.#place;
  }

  moved(from: Place, to: Place): void {
    this.#place = relocate(this.#place, from, to);
  }

  override describe(): string {
    return this.#place.path;
  }

  override stat(): Answer<Stat> {
    return this.#vfs.statOf(this.#place);
  }

  override async read(): Promise<number> {
    throw new KernelError("EISDIR");
  }

  override async pread(): Promise<number> {
    throw new KernelError("EISDIR");
  }

  override async readdir(limit: number): Promise<DirectoryEntry[]> {
    return this.#position.run(async () => {
      if (this.#cursor === undefined) return [];
      const { fileSystem } = this.#place.mount;
      const page = await fileSystem.list(this.#place.inode, this.#cursor, limit);
      this.#cursor = page.cursor;
      this.#vfs.notify(this.#place, IN_ACCESS);
      return [...page.entries];
    });
  }

  override async seek(offset: number, whence: number): Promise<number> {
    // Deviation: a directory seeks only to its start; cursors of drivers are not offsets.
    if (offset !== 0 || whence !== SEEK_SET) throw new KernelError("EINVAL");
    return this.#position.run(async () => {
      this.#cursor = 0;
      return 0;
    });
  }

  override sync(): Promise<void> {
    return this.#place.mount.fileSystem.sync();
  }

  protected override release(): void {
    this.#vfs.notify(this.#place, IN_CLOSE_NOWRITE);
    this.#vfs.closed(this);
    this.#place.mount.fileSystem.release(this.#place.inode);
  }
}
