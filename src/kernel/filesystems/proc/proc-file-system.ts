import { KernelError } from "../../abi/kernel-error.ts";
import type { DirectoryEntry, Stat, StatFs } from "../../abi/stat.ts";
import { encodeText } from "../../abi/text.ts";
import type { OpenFile } from "../../fd/open-file.ts";
import type { Kernel } from "../../kernel.ts";
import type { DirectoryPage, FileSystem, Inode, MagicTarget } from "../../vfs/file-system.ts";
import type { ProcNode } from "./proc-node.ts";
import { rootDirectory } from "./root-directory.ts";

/** An entry of /proc that has been looked at. */
class ProcInode implements Inode {
  readonly ino: number;
  readonly kind: "directory" | "file" | "symlink";
  /** Made anew at each lookup: owners and descriptors change. */
  node: ProcNode;
  /** The entries looked up before, so that each keeps its inode. */
  readonly known = new Map<string, ProcInode>();

  constructor(ino: number, node: ProcNode) {
    this.ino = ino;
    this.kind = node.kind;
    this.node = node;
  }
}

/**
 * /proc: the kernel as files. Read-only; a text is made anew at each read, so a reader that wants
 * one consistent text reads it in one call.
 */
export class ProcFileSystem implements FileSystem {
  readonly type = "proc";
  readonly isReadOnly = true;
  readonly root: ProcInode;
  readonly #kernel: Kernel;
  #lastIno = 1;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.root = new ProcInode(this.#lastIno, rootDirectory(kernel));
  }

  async lookup(directory: Inode, name: string): Promise<ProcInode | undefined> {
    const parent = own(directory);
    if (parent.node.kind !== "directory") return undefined;
    const node = parent.node.find(name);
    const known = parent.known.get(name);
    if (node === undefined) {
      parent.known.delete(name);
      return undefined;
    }
    if (known !== undefined && known.kind === node.kind && known.node.subject === node.subject) {
      known.node = node;
      return known;
    }
    this.#lastIno += 1;
    const inode = new ProcInode(this.#lastIno, node);
    parent.known.set(name, inode);
    this.#forgetEnded(parent);
    return inode;
  }

  async stat(inode: Inode): Promise<Stat> {
    const { ino, kind, node } = own(inode);
    const now = this.#kernel.host.now();
    return {
      kind,
      ino,
      mode: node.mode,
      uid: node.uid ?? 0,
      gid: node.gid ?? 0,
      size: 0,
      nlink: kind === "directory" ? 2 : 1,
      dev: 0,
      rdev: 0,
      blocks: 0,
      atimeMs: now,
      mtimeMs: now,
      ctimeMs: now,
    };
  }

  async readlink(inode: Inode, callerPid: number): Promise<string> {
    const { node } = own(inode);
    if (node.kind !== "symlink") throw new KernelError("EINVAL");
    this.#requireOwner(node, callerPid);
    return node.target(callerPid);
  }

  followMagicLink(inode: Inode, callerPid: number): MagicTarget | undefined {
    const { node } = own(inode);
    if (node.kind !== "symlink" || node.follow === undefined) return undefined;
    this.#requireOwner(node, callerPid);
    return node.follow();
  }

  async list(directory: Inode, cursor: number, limit: number): Promise<DirectoryPage> {
    const inode = own(directory);
    if (inode.node.kind !== "directory") throw new KernelError("ENOTDIR");
    const names = inode.node.names().filter(({ position }) => position >= cursor);
    const page = names.slice(0, limit);
    const entries: DirectoryEntry[] = [];
    for (const { name } of page) {
      const entry = await this.lookup(inode, name);
      if (entry !== undefined) entries.push({ name, kind: entry.kind, ino: entry.ino });
    }
    return { entries, cursor: names[limit]?.position };
  }

  async read(inode: Inode, into: Uint8Array, offset: number): Promise<number> {
    const { node } = own(inode);
    if (node.kind !== "file") throw new KernelError("EINVAL");
    const part = encodeText(node.text()).subarray(offset, offset + into.length);
    into.set(part);
    return part.length;
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

  async sync(): Promise<void> {}
  retain(): void {}
  release(): void {}

  async openDevice(): Promise<OpenFile> {
    throw new KernelError("ENXIO");
  }

  async write(): Promise<number> {
    throw new KernelError("EROFS");
  }

  async truncate(): Promise<void> {
    throw new KernelError("EROFS");
  }

  async create(): Promise<Inode> {
    throw new KernelError("EROFS");
  }

  async link(): Promise<void> {
    throw new KernelError("EROFS");
  }

  async unlink(): Promise<void> {
    throw new KernelError("EROFS");
  }

  async rmdir(): Promise<void> {
    throw new KernelError("EROFS");
  }

  async rename(): Promise<void> {
    throw new KernelError("EROFS");
  }

  async setAttributes(): Promise<void> {
    throw new KernelError("EROFS");
  }

  /** Where another's process is and what it has open is not everybody's affair: EACCES. */
  #requireOwner({ uid }: ProcNode, callerPid: number): void {
    const euid = this.#kernel.processes.find(callerPid)?.credentials.euid;
    if (uid !== undefined && euid !== 0 && euid !== uid) throw new KernelError("EACCES");
  }

  /** Entries of processes that have gone are not kept. */
  #forgetEnded(parent: ProcInode): void {
    if (parent !== this.root) return;
    for (const name of parent.known.keys()) {
      const isGone = /^\d/.test(name) && this.#kernel.processes.find(Number(name)) === undefined;
      if (isGone) parent.known.delete(name);
    }
  }
}

function own(inode: Inode): ProcInode {
  if (!(inode instanceof ProcInode)) throw new KernelError("EIO");
  return inode;
}
