import { KernelError } from "../abi/kernel-error.ts";
import type { Stat, StatFs } from "../abi/stat.ts";
import type { OpenFile } from "../fd/open-file.ts";
import type { PtyTable } from "../pty/pty-table.ts";
import type { Attributes, DirectoryPage, FileSystem, Inode } from "../vfs/file-system.ts";

interface PtsInode extends Inode {
  /** N of /dev/pts/N; undefined for the directory. */
  readonly number: number | undefined;
}

/** /dev/pts: a device for each pseudo-terminal whose master is open, see pts(4). */
export class PtsFileSystem implements FileSystem {
  readonly type = "devpts";
  readonly isReadOnly = false;
  readonly root: PtsInode = { ino: 1, kind: "directory", number: undefined };
  readonly #ptys: PtyTable;
  readonly #now: () => number;
  readonly #inodes = new Map<number, PtsInode>();

  constructor(ptys: PtyTable, now: () => number) {
    this.#ptys = ptys;
    this.#now = now;
  }

  async lookup(_directory: Inode, name: string): Promise<PtsInode | undefined> {
    const number = /^(0|[1-9]\d*)$/.test(name) ? Number(name) : -1;
    const stat = this.#ptys.findStat(number);
    if (stat === undefined) return undefined;
    const known = this.#inodes.get(number) ?? { ino: stat.ino, kind: "device", number };
    this.#inodes.set(number, known);
    return known;
  }

  async stat(inode: Inode): Promise<Stat> {
    const { number, ino } = own(inode);
    if (number !== undefined)
      return this.#ptys.findStat(number) ?? this.#directoryStat(ino, "device");
    return this.#directoryStat(ino, "directory");
  }

  async list(_directory: Inode, cursor: number, limit: number): Promise<DirectoryPage> {
    const numbers = this.#ptys.list().filter((number) => number >= cursor);
    const page = numbers.slice(0, limit);
    const entries = page.map((number) => ({
      name: String(number),
      kind: "device" as const,
      ino: this.#ptys.findStat(number)?.ino ?? 0,
    }));
    const last = page.at(-1);
    return { entries, cursor: numbers.length > limit && last !== undefined ? last + 1 : undefined };
  }

  async setAttributes(inode: Inode, { uid, gid, mode }: Attributes): Promise<void> {
    const { number } = own(inode);
    if (number === undefined) throw new KernelError("EPERM");
    this.#ptys.setAttributes(number, {
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
      ...(mode === undefined ? {} : { mode }),
    });
  }

  /** Terminals are opened by their device number, see vfs/open.ts. */
  async openDevice(): Promise<OpenFile> {
    throw new KernelError("ENXIO");
  }

  async statFs(): Promise<StatFs> {
    return {
      type: this.type,
      blockSize: 4096,
      totalBytes: 0,
      freeBytes: 0,
      totalInodes: 0,
      freeInodes: 0,
    };
  }

  async readlink(): Promise<string> {
    throw new KernelError("EINVAL");
  }

  async read(): Promise<number> {
    throw new KernelError("EINVAL");
  }

  async write(): Promise<number> {
    throw new KernelError("EINVAL");
  }

  async truncate(): Promise<void> {
    throw new KernelError("EINVAL");
  }

  async create(): Promise<Inode> {
    throw new KernelError("EPERM");
  }

  async link(): Promise<void> {
    throw new KernelError("EPERM");
  }

  async unlink(): Promise<void> {
    throw new KernelError("EPERM");
  }

  async rmdir(): Promise<void> {
    throw new KernelError("EPERM");
  }

  async rename(): Promise<void> {
    throw new KernelError("EPERM");
  }

  async sync(): Promise<void> {}
  retain(): void {}
  release(): void {}

  #directoryStat(ino: number, kind: "directory" | "device"): Stat {
    const now = this.#now();
    const times = { atimeMs: now, mtimeMs: now, ctimeMs: now };
    return {
      kind,
      ino,
      mode: 0o755,
      uid: 0,
      gid: 0,
      size: 0,
      nlink: 2,
      dev: 0,
      rdev: 0,
      blocks: 0,
      ...times,
    };
  }
}

function own(inode: Inode): PtsInode {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the VFS gives back only inodes this driver made
  return inode as PtsInode;
}
