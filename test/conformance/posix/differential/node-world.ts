import { createHash } from "node:crypto";
import type nodeFs from "node:fs";
import { constants } from "node:fs";
import type { OpenFlags, Operation, Outcome, Piece } from "./operation.ts";

/** The parts of node:fs that are used; memfs has the same. */
export type NodeFs = Pick<
  typeof nodeFs,
  | "chmodSync"
  | "chownSync"
  | "closeSync"
  | "fstatSync"
  | "ftruncateSync"
  | "lchownSync"
  | "linkSync"
  | "lstatSync"
  | "mkdirSync"
  | "openSync"
  | "readdirSync"
  | "readlinkSync"
  | "readSync"
  | "renameSync"
  | "rmdirSync"
  | "statSync"
  | "symlinkSync"
  | "truncateSync"
  | "unlinkSync"
  | "utimesSync"
  | "writeSync"
>;

/** A file system behind Node's functions: the host's below a directory of its own, or memfs. */
export class NodeWorld {
  readonly fs: NodeFs;
  readonly root: string;
  readonly #held = new Map<number, number>();
  readonly #buffer = Buffer.alloc(300_000);

  constructor(fs: NodeFs, root: string) {
    this.fs = fs;
    this.root = root;
  }

  async run(operation: Operation): Promise<Outcome> {
    try {
      return { value: this.#perform(operation) ?? null };
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (typeof code === "string") return { errno: code };
      throw error;
    }
  }

  close(): void {
    for (const fd of this.#held.values()) this.fs.closeSync(fd);
    this.#held.clear();
  }

  #perform(operation: Operation): unknown {
    if ("slot" in operation) return this.#performHeld(operation);
    const { fs } = this;
    const path = this.root + operation.path;
    switch (operation.op) {
      case "mkdir":
        return fs.mkdirSync(path, { mode: operation.mode });
      case "rmdir":
        return fs.rmdirSync(path);
      case "unlink":
        return fs.unlinkSync(path);
      case "readlink":
        return fs.readlinkSync(path);
      case "stat":
        return describeStat(fs.statSync(path));
      case "lstat":
        return describeStat(fs.lstatSync(path));
      case "readdir":
        return describeEntries(fs.readdirSync(path, { withFileTypes: true }));
      case "readFile":
        return this.#withFile(path, constants.O_RDONLY, 0, (fd) => this.#readAll(fd));
      case "rename":
        return fs.renameSync(path, this.root + operation.to);
      case "link":
        return fs.linkSync(path, this.root + operation.to);
      case "symlink":
        return fs.symlinkSync(operation.target, path);
      case "write":
        return this.#withFile(path, flagBits(operation.flags), operation.mode, (fd) =>
          this.#write(fd, operation.piece, operation.piece.offset),
        );
      case "truncate":
        return fs.truncateSync(path, operation.size);
      case "chmod":
        return fs.chmodSync(path, operation.mode);
      case "chown":
        return fs.chownSync(path, operation.uid, operation.gid);
      case "lchown":
        return fs.lchownSync(path, operation.uid, operation.gid);
      case "utimes": {
        fs.utimesSync(path, operation.atimeMs / 1000, operation.mtimeMs / 1000);
        const { atimeMs, mtimeMs } = fs.statSync(path);
        return [atimeMs, mtimeMs];
      }
    }
  }

  #performHeld(operation: Extract<Operation, { slot: number }>): unknown {
    const { fs } = this;
    if (operation.op === "hold") {
      const fd = fs.openSync(this.root + operation.path, flagBits(operation.flags), 0o644);
      this.#letGo(operation.slot);
      this.#held.set(operation.slot, fd);
      return undefined;
    }
    const fd = this.#held.get(operation.slot);
    if (fd === undefined) return "not held";
    switch (operation.op) {
      case "heldWrite":
        return this.#write(fd, operation.piece, operation.piece.offset);
      case "heldAppend":
        return this.#write(fd, operation.piece, null);
      case "heldTruncate":
        return fs.ftruncateSync(fd, operation.size);
      case "heldRead":
        return this.#readAll(fd);
      case "heldStat":
        return describeStat(fs.fstatSync(fd));
      case "letGo":
        return this.#letGo(operation.slot);
    }
  }

  #letGo(slot: number): void {
    const fd = this.#held.get(slot);
    if (fd !== undefined) this.fs.closeSync(fd);
    this.#held.delete(slot);
  }

  #withFile<T>(path: string, flags: number, mode: number, use: (fd: number) => T): T {
    const fd = this.fs.openSync(path, flags, mode);
    try {
      return use(fd);
    } finally {
      this.fs.closeSync(fd);
    }
  }

  #write(fd: number, { length, fill }: Piece, offset: number | null): number {
    return this.fs.writeSync(fd, Buffer.alloc(length, fill), 0, length, offset);
  }

  #readAll(fd: number): string {
    const count = this.fs.readSync(fd, this.#buffer, 0, this.#buffer.length, 0);
    return digest(this.#buffer.subarray(0, count));
  }
}

export function digest(bytes: Uint8Array): string {
  return `${bytes.length} ${createHash("md5").update(bytes).digest("hex")}`;
}

/** Everything of a stat that does not depend on time or place. */
export interface StatFacts {
  readonly kind: string;
  readonly mode: number;
  readonly nlink: number;
  readonly uid: number;
  readonly gid: number;
  /** Of a directory it is the file system's affair. */
  readonly size: number;
}

function describeStat(stat: nodeFs.Stats): StatFacts {
  const kind = kindOf(stat);
  const { nlink, uid, gid } = stat;
  return {
    kind,
    mode: stat.mode & 0o7777,
    nlink,
    uid,
    gid,
    size: kind === "directory" ? 0 : stat.size,
  };
}

function describeEntries(entries: nodeFs.Dirent[]): string[] {
  return entries.map((entry) => `${entry.name} ${kindOf(entry)}`).toSorted();
}

function kindOf(entry: Pick<nodeFs.Dirent, "isFile" | "isDirectory" | "isSymbolicLink">): string {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

const bits = {
  creat: constants.O_CREAT,
  excl: constants.O_EXCL,
  trunc: constants.O_TRUNC,
  append: constants.O_APPEND,
  rdwr: constants.O_RDWR,
  wronly: constants.O_WRONLY,
  directory: constants.O_DIRECTORY,
  nofollow: constants.O_NOFOLLOW,
} as const;

/** Linux's numbers, which are the kernel's, too. */
export function flagBits(flags: OpenFlags): number {
  return flags.reduce((sum, flag) => sum | bits[flag], 0);
}
