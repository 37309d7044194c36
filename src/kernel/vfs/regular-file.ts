import { IN_ACCESS, IN_CLOSE_NOWRITE, IN_CLOSE_WRITE, IN_MODIFY } from "../abi/inotify.ts";
import { KernelError } from "../abi/kernel-error.ts";
import { O_APPEND, SEEK_CUR, SEEK_END, SEEK_SET } from "../abi/open-flags.ts";
import type { Stat } from "../abi/stat.ts";
import { type Answer, whenAnswered } from "../answer.ts";
import { OpenFile } from "../fd/open-file.ts";
import { type Place, relocate } from "./place.ts";
import { PositionLock } from "./position-lock.ts";
import type { PlacedFile, Vfs } from "./vfs.ts";

/**
 * An open regular file: offset and append over the driver's positioned reads and writes.
 * Holds the inode, so an unlinked file lives until this is released.
 */
export class RegularFile extends OpenFile implements PlacedFile {
  readonly #vfs: Vfs;
  #place: Place;
  #offset = 0;
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

  override async read(into: Uint8Array): Promise<number> {
    return this.#position.run(() =>
      whenAnswered(this.#readAt(into, this.#offset), (count) => {
        this.#offset += count;
        return count;
      }),
    );
  }

  override async readThrough(into: Uint8Array, delimiter: number): Promise<number> {
    return this.#position.run(() =>
      whenAnswered(this.#readAt(into, this.#offset), (count) => {
        const end = into.subarray(0, count).indexOf(delimiter);
        const taken = end === -1 ? count : end + 1;
        this.#offset += taken;
        return taken;
      }),
    );
  }

  override async write(from: Uint8Array): Promise<number> {
    return this.#position.run(async () => {
      const at = (this.flags & O_APPEND) !== 0 ? "end" : this.#offset;
      this.#offset = await this.#writeAt(from, at);
      return from.length;
    });
  }

  override async pread(into: Uint8Array, offset: number): Promise<number> {
    return this.#readAt(into, offset);
  }

  override async pwrite(from: Uint8Array, offset: number): Promise<number> {
    // Linux appends even here, see pwrite(2), BUGS.
    await this.#writeAt(from, (this.flags & O_APPEND) !== 0 ? "end" : offset);
    return from.length;
  }

  override async seek(offset: number, whence: number): Promise<number> {
    return this.#position.run(async () => {
      const next = (await this.#base(whence)) + offset;
      if (next < 0 || !Number.isSafeInteger(next)) throw new KernelError("EINVAL");
      this.#offset = next;
      return next;
    });
  }

  override async truncate(sizeBytes: number): Promise<void> {
    await this.#place.mount.fileSystem.truncate(this.#place.inode, sizeBytes);
    this.#vfs.notify(this.#place, IN_MODIFY);
  }

  override sync(): Promise<void> {
    return this.#place.mount.fileSystem.sync();
  }

  protected override release(): void {
    this.#vfs.notify(this.#place, this.isWritable ? IN_CLOSE_WRITE : IN_CLOSE_NOWRITE);
    this.#vfs.closed(this);
    this.#place.mount.fileSystem.release(this.#place.inode);
  }

  #readAt(into: Uint8Array, offset: number): Answer<number> {
    const { mount, inode } = this.#place;
    return whenAnswered(mount.fileSystem.read(inode, into, offset), (count) => {
      if (count > 0) this.#vfs.notify(this.#place, IN_ACCESS);
      return count;
    });
  }

  async #writeAt(from: Uint8Array, at: number | "end"): Promise<number> {
    if (from.length === 0) return at === "end" ? this.#offset : at;
    const after = await this.#place.mount.fileSystem.write(this.#place.inode, from, at);
    this.#vfs.notify(this.#place, IN_MODIFY);
    return after;
  }

  async #base(whence: number): Promise<number> {
    switch (whence) {
      case SEEK_SET:
        return 0;
      case SEEK_CUR:
        return this.#offset;
      case SEEK_END:
        return (await this.stat()).size;
      default:
        throw new KernelError("EINVAL");
    }
  }
}
