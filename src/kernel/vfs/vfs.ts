/**
 * The tree of one VM: what can be done at a checked path, over the mounted drivers.
 *
 * Modes and owners are checked here, right before the driver is called; the policy has been asked
 * before (permissions/check-path.ts). Every change is told to the watches.
 */

import {
  IN_ATTRIB,
  IN_CREATE,
  IN_DELETE,
  IN_DELETE_SELF,
  IN_ISDIR,
  IN_MODIFY,
} from "../abi/inotify.ts";
import { KernelError } from "../abi/kernel-error.ts";
import { W_OK, X_OK } from "../abi/open-flags.ts";
import { S_ISGID, S_ISUID, S_IXGRP, type Stat, type StatFs } from "../abi/stat.ts";
import { type Answer, whenAnswered } from "../answer.ts";
import type { Limits } from "../limits/limits.ts";
import type { CheckedFile, CheckedPath, PathArg } from "../permissions/check-path.ts";
import {
  type Credentials,
  isMember,
  requireAccess,
  requireUnsticky,
} from "../permissions/credentials.ts";
import type { Process } from "../process/process.ts";
import type { WatchTable } from "../watch/watch-table.ts";
import type { Attributes, FileSystem, NewFile } from "./file-system.ts";
import { MountTable } from "./mount-table.ts";
import type { NamePlace, Place } from "./place.ts";
import { type FollowsLast, walk } from "./walk.ts";

/** An open file that has a place in the tree and follows it. */
export interface PlacedFile {
  moved(from: Place, to: Place): void;
}

export interface WalkOptions {
  /** Who must be able to get there; the process as it acts unless said otherwise. */
  readonly credentials?: Credentials | undefined;
  /** What is there is going to be read. */
  readonly isToRead?: boolean | undefined;
}

export class Vfs {
  readonly mounts: MountTable;
  readonly watches: WatchTable;
  readonly #limits: Limits;
  readonly #open = new Set<PlacedFile>();

  constructor(root: FileSystem, limits: Limits, watches: WatchTable) {
    this.mounts = new MountTable(root, limits);
    this.watches = watches;
    this.#limits = limits;
  }

  /** EBADF and ENOTDIR for a bad directory fd; else as the walk. */
  walkFrom(
    process: Process,
    path: PathArg,
    followsLast: FollowsLast,
    { credentials = process.credentials, isToRead = false }: WalkOptions = {},
  ): Answer<NamePlace> {
    const walker = { mounts: this.mounts, credentials, pid: process.pid, isToRead };
    if (typeof path === "string") return walk(walker, process.cwd, path, followsLast);
    if (path.path.startsWith("/")) return walk(walker, process.cwd, path.path, followsLast);
    const from = process.fds.get(path.at).place;
    if (from?.inode.kind !== "directory") throw new KernelError("ENOTDIR", path.path);
    return walk(walker, from, path.path, followsLast);
  }

  statOf({ mount, inode }: Place): Answer<Stat> {
    return whenAnswered(mount.fileSystem.stat(inode), (stat) => ({ ...stat, dev: mount.dev }));
  }

  stat(at: CheckedFile<"stat">): Answer<Stat> {
    return at.openFile === undefined ? this.statOf(at.existing) : at.openFile.stat();
  }

  async readlink(at: CheckedFile<"readlink">, process: Process): Promise<string> {
    const { mount, inode } = at.existing;
    if (inode.kind !== "symlink") throw new KernelError("EINVAL", at.path);
    return mount.fileSystem.readlink(inode, process.pid);
  }

  /** Makes a file, directory, link, FIFO or device: EEXIST, EACCES, EROFS, ENOSPC. */
  async create(
    at: CheckedPath<"write" | "create_dir" | "symlink">,
    file: Pick<NewFile, "kind" | "mode" | "target" | "rdev">,
    process: Process,
  ): Promise<Place> {
    if (at.existing !== undefined || at.endsInDots) throw new KernelError("EEXIST", at.path);
    if (at.mustBeDirectory && file.kind !== "directory") throw new KernelError("ENOENT", at.path);
    const { parent, name, path } = at;
    const directory = await this.#requireChangeable(parent, process, path);
    const isGroupKept = (directory.mode & S_ISGID) !== 0;
    const { euid, egid } = process.credentials;
    const owner = { uid: euid, gid: isGroupKept ? directory.gid : egid };
    const asked = file.kind === "symlink" ? 0o777 : file.mode & 0o7777 & ~process.umask;
    const mode = mayGiveGroup(process, asked, owner.gid) ? asked : asked & ~S_ISGID;
    const inherited = isGroupKept && file.kind === "directory" ? S_ISGID : 0;
    const { fileSystem } = parent.mount;
    const inode = await fileSystem.create(
      { directory: parent.inode, name },
      { ...file, ...owner, mode: mode | inherited },
    );
    const place: Place = { mount: parent.mount, inode, path, parent, name };
    this.#notifyName(parent, IN_CREATE, place);
    return place;
  }

  /** EPERM for a directory, EXDEV across mounts. */
  async link(
    from: CheckedFile<"read" | "write">,
    at: CheckedPath<"write">,
    process: Process,
  ): Promise<void> {
    const { existing } = from;
    if (at.existing !== undefined || at.endsInDots) throw new KernelError("EEXIST", at.path);
    if (at.mustBeDirectory) throw new KernelError("ENOENT", at.path);
    if (existing.inode.kind === "directory") throw new KernelError("EPERM", from.path);
    if (existing.mount !== at.parent.mount) throw new KernelError("EXDEV", at.path);
    await this.#requireChangeable(at.parent, process, at.path);
    const { fileSystem } = at.parent.mount;
    await fileSystem.link({ directory: at.parent.inode, name: at.name }, existing.inode);
    this.#notifyName(at.parent, IN_CREATE, existing, at.name);
    this.notify(existing, IN_ATTRIB);
  }

  async unlink(at: CheckedFile<"rm">, process: Process): Promise<void> {
    if (at.existing.inode.kind === "directory") throw new KernelError("EISDIR", at.path);
    if (at.mustBeDirectory) throw new KernelError("ENOTDIR", at.path);
    await this.requireRemovable(at.existing, process, at.path);
    await at.parent.mount.fileSystem.unlink({ directory: at.parent.inode, name: at.name });
    this.#notifyName(at.parent, IN_DELETE, at.existing);
    // Deviation: IN_DELETE_SELF comes with the last name; Linux waits for the last descriptor.
    const { nlink } = await this.statOf(at.existing);
    this.watches.notify(at.existing.inode, nlink === 0 ? IN_DELETE_SELF : IN_ATTRIB);
  }

  /** EINVAL for `.`, ENOTEMPTY for `..`, EBUSY for the root and mount points. */
  async rmdir(at: CheckedFile<"rm">, process: Process, text: string): Promise<void> {
    if (at.existing.inode.kind !== "directory") throw new KernelError("ENOTDIR", at.path);
    if (/(^|\/)\.\/*$/.test(text)) throw new KernelError("EINVAL", at.path);
    if (/(^|\/)\.\.\/*$/.test(text)) throw new KernelError("ENOTEMPTY", at.path);
    if (at.existing.parent === undefined) throw new KernelError("EBUSY", at.path);
    if (this.mounts.isMountPoint(at.existing)) throw new KernelError("EBUSY", at.path);
    await this.requireRemovable(at.existing, process, at.path);
    await at.parent.mount.fileSystem.rmdir({ directory: at.parent.inode, name: at.name });
    this.#notifyName(at.parent, IN_DELETE, at.existing);
    this.watches.notify(at.existing.inode, IN_DELETE_SELF | IN_ISDIR);
  }

  async setAttributes(at: CheckedFile<"write" | "chmod">, changes: Attributes): Promise<void> {
    await this.changeAttributes(at.existing, changes);
  }

  /** For a file that is open already. */
  async changeAttributes(place: Place, changes: Attributes): Promise<void> {
    if (place.mount.isReadOnly) throw new KernelError("EROFS", place.path);
    await place.mount.fileSystem.setAttributes(place.inode, changes);
    this.notify(place, IN_ATTRIB);
  }

  /** EISDIR, EINVAL for what has no size; EACCES without write permission. */
  async truncate(at: CheckedFile<"truncate">, sizeBytes: number, process: Process): Promise<void> {
    const { mount, inode } = at.existing;
    if (inode.kind === "directory") throw new KernelError("EISDIR", at.path);
    if (inode.kind !== "file") throw new KernelError("EINVAL", at.path);
    if (mount.isReadOnly) throw new KernelError("EROFS", at.path);
    requireAccess(process.credentials, await this.statOf(at.existing), W_OK, at.path);
    await this.dropSetIds(at.existing, process);
    await mount.fileSystem.truncate(inode, sizeBytes);
    this.notify(at.existing, IN_MODIFY);
  }

  async statFs(at: CheckedFile<"stat">): Promise<StatFs> {
    return at.existing.mount.fileSystem.statFs();
  }

  async sync(): Promise<void> {
    const drivers = new Set(this.mounts.list().map((mount) => mount.fileSystem));
    for (const fileSystem of drivers) await fileSystem.sync();
  }

  /** Tells those who watch the file, and those who watch its directory. */
  notify(place: Place, mask: number): void {
    const isDirectory = place.inode.kind === "directory";
    this.watches.notify(place.inode, mask, { isDirectory });
    if (place.parent !== undefined) {
      this.watches.notify(place.parent.inode, mask, { name: place.name, isDirectory });
    }
  }

  /** ENFILE when one more open file would be too many: for calls that change something first. */
  requireRoom(): void {
    this.#limits.check("maxOpenFiles", this.#limits.used("maxOpenFiles") + 1);
  }

  /** An open file counts against the VM's limit: ENFILE. It is told where it has been moved. */
  opened(file: PlacedFile): void {
    this.#limits.charge("maxOpenFiles");
    this.#open.add(file);
  }

  closed(file: PlacedFile): void {
    if (this.#open.delete(file)) this.#limits.discharge("maxOpenFiles");
  }

  /** A file has a new place: open files and mounts at and below it have one, too. */
  moved(from: Place, to: Place): void {
    for (const file of this.#open) file.moved(from, to);
    this.mounts.moved(from, to);
  }

  /** What writing takes from a file whoever may not give it, see write(2): the set-id bits. */
  async dropSetIds(place: Place, process: Process): Promise<void> {
    if (process.credentials.euid === 0 || place.inode.kind !== "file") return;
    const { mode } = await this.statOf(place);
    const lost = (mode & S_IXGRP) === 0 ? S_ISUID : S_ISUID | S_ISGID;
    if ((mode & lost) !== 0) await this.changeAttributes(place, { mode: mode & ~lost });
  }

  /** Write and search permission in the directory that holds the name, and its sticky bit. */
  async requireRemovable(place: Place, process: Process, path: string): Promise<void> {
    if (place.parent === undefined) throw new KernelError("EBUSY", path);
    const directory = await this.#requireChangeable(place.parent, process, path);
    const file = await this.statOf(place);
    requireUnsticky(process.credentials, directory, file, path);
  }

  async requireWritable(place: Place, process: Process, path: string): Promise<void> {
    requireAccess(process.credentials, await this.statOf(place), W_OK, path);
  }

  async requireInsertable(parent: Place, process: Process, path: string): Promise<void> {
    await this.#requireChangeable(parent, process, path);
  }

  async #requireChangeable(directory: Place, process: Process, path: string): Promise<Stat> {
    if (directory.mount.isReadOnly) throw new KernelError("EROFS", path);
    const stat = await this.statOf(directory);
    requireAccess(process.credentials, stat, W_OK | X_OK, path);
    return stat;
  }

  #notifyName(directory: Place, mask: number, file: Place, name = file.name): void {
    const isDirectory = file.inode.kind === "directory";
    this.watches.notify(directory.inode, mask, { name, isDirectory });
  }
}

/** A new file runs as its group only when its maker is of that group, see open(2). */
function mayGiveGroup({ credentials }: Process, mode: number, gid: number): boolean {
  const isGiving = (mode & S_ISGID) !== 0 && (mode & S_IXGRP) !== 0;
  return !isGiving || credentials.euid === 0 || isMember(credentials, gid);
}

/** Whether the caller may change mode or times: it owns the file or is root. EPERM. */
export function requireOwner(process: Process, stat: Stat, path: string): void {
  const { euid } = process.credentials;
  if (euid !== 0 && euid !== stat.uid) throw new KernelError("EPERM", path);
}

/** Whether the caller may give the file to this group: one of its own, or root. EPERM. */
export function requireGroup(process: Process, gid: number, path: string): void {
  if (process.credentials.euid !== 0 && !isMember(process.credentials, gid)) {
    throw new KernelError("EPERM", path);
  }
}
