import { KernelError } from "../abi/kernel-error.ts";
import type { Limits } from "../limits/limits.ts";
import type { FileSystem, Inode } from "./file-system.ts";
import { type Place, relocate } from "./place.ts";

/** A file system at a place in the tree. `root` may be any directory of it (a bind mount). */
export interface Mount {
  /** What stat(2) reports as st_dev. */
  readonly dev: number;
  readonly fileSystem: FileSystem;
  readonly root: Inode;
  /** Shown in /proc/mounts. */
  readonly source: string;
  readonly isReadOnly: boolean;
  /** The directory that a bind mount shows, also after it has moved; undefined for others. */
  boundFrom: Place | undefined;
  /** Where it is mounted, also after that directory has moved; undefined for the root. */
  on: Place | undefined;
}

export interface MountOptions {
  readonly fileSystem: FileSystem;
  /** For a bind mount. */
  readonly boundFrom?: Place;
  readonly isReadOnly?: boolean;
}

/** The mounts of one VM. The newest mount on a directory is the one that shows. */
export class MountTable {
  readonly root: Place;
  readonly #mounts: Mount[] = [];
  readonly #byDirectory = new Map<Inode, Mount[]>();
  readonly #devices = new Map<FileSystem, number>();
  #lastDevice = 0;
  readonly #limits: Limits;

  constructor(rootFileSystem: FileSystem, limits: Limits) {
    this.#limits = limits;
    const mount = this.#make({ fileSystem: rootFileSystem }, undefined);
    this.#mounts.push(mount);
    this.root = { mount, inode: mount.root, path: "/", parent: undefined, name: "" };
  }

  /** ENOTDIR; EBUSY for the root, which every walk starts at; ENOSPC at the limit of mounts. */
  add(on: Place, options: MountOptions): Mount {
    if (on.inode.kind !== "directory") throw new KernelError("ENOTDIR", on.path);
    if (on.parent === undefined) throw new KernelError("EBUSY", on.path);
    this.#limits.charge("maxMounts");
    const mount = this.#make(options, on);
    this.#mounts.push(mount);
    const stack = this.#byDirectory.get(on.inode);
    if (stack === undefined) this.#byDirectory.set(on.inode, [mount]);
    else stack.push(mount);
    on.mount.fileSystem.retain(on.inode);
    mount.fileSystem.retain(mount.root);
    return mount;
  }

  /** The directory that the place covers. EINVAL when it is not the root of a mount. */
  coveredBy({ mount, inode, path }: Place): Place {
    if (mount.on === undefined || mount.root !== inode) throw new KernelError("EINVAL", path);
    return mount.on;
  }

  /** EINVAL when nothing is mounted there; EBUSY while another mount lies in it. */
  remove(place: Place): void {
    const { mount } = place;
    const covered = this.coveredBy(place);
    const isCovering = this.#mounts.some((other) => other.on?.mount === mount);
    if (isCovering) throw new KernelError("EBUSY", place.path);
    this.#mounts.splice(this.#mounts.indexOf(mount), 1);
    const stack = this.#byDirectory.get(covered.inode) ?? [];
    stack.splice(stack.indexOf(mount), 1);
    if (stack.length === 0) this.#byDirectory.delete(covered.inode);
    covered.mount.fileSystem.release(covered.inode);
    mount.fileSystem.release(mount.root);
    this.#limits.discharge("maxMounts");
    const { fileSystem } = mount;
    if (this.#mounts.some((other) => other.fileSystem === fileSystem)) return;
    this.#devices.delete(fileSystem);
    fileSystem.unmounted?.();
  }

  /** What shows at a place: the root of the mount on it, or the place itself. */
  cover(place: Place): Place {
    let shown = place;
    for (let mount = this.#top(shown); mount !== undefined; mount = this.#top(shown)) {
      shown = { ...shown, mount, inode: mount.root };
    }
    return shown;
  }

  /** Whether something is mounted on this directory, so that it cannot be removed or moved. */
  isMountPoint(place: Place): boolean {
    return (
      this.#byDirectory.has(place.inode) ||
      (place.mount.root === place.inode && place.mount.on !== undefined)
    );
  }

  list(): readonly Mount[] {
    return this.#mounts;
  }

  /** A directory has a new place: what is mounted below it has one, too. */
  moved(from: Place, to: Place): void {
    for (const mount of this.#mounts) {
      mount.on &&= relocate(mount.on, from, to);
      mount.boundFrom &&= relocate(mount.boundFrom, from, to);
    }
  }

  #top(place: Place): Mount | undefined {
    return this.#byDirectory.get(place.inode)?.findLast(({ on }) => on?.mount === place.mount);
  }

  #make({ fileSystem, boundFrom, isReadOnly }: MountOptions, on: Place | undefined): Mount {
    let dev = this.#devices.get(fileSystem);
    if (dev === undefined) {
      this.#lastDevice += 1;
      dev = this.#lastDevice;
      this.#devices.set(fileSystem, dev);
    }
    return {
      dev,
      fileSystem,
      root: boundFrom?.inode ?? fileSystem.root,
      source: boundFrom?.path ?? fileSystem.type,
      boundFrom,
      isReadOnly: isReadOnly === true || fileSystem.isReadOnly,
      on,
    };
  }
}
