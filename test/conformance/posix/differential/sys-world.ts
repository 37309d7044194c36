import { isKernelError } from "../../../../src/kernel/abi/kernel-error.ts";
import { O_DIRECTORY, O_RDONLY } from "../../../../src/kernel/abi/open-flags.ts";
import type { DirectoryEntry, Stat } from "../../../../src/kernel/abi/stat.ts";
import type { Sys } from "../../../../src/kernel/syscalls/sys.ts";
import { digest, flagBits, type StatFacts } from "./node-world.ts";
import type { Operation, Outcome, Piece } from "./operation.ts";

/** The kernel's file systems as a process uses them. */
export class SysWorld {
  readonly sys: Sys;
  readonly #held = new Map<number, number>();
  readonly #buffer = new Uint8Array(300_000);

  constructor(sys: Sys) {
    this.sys = sys;
  }

  async run(operation: Operation): Promise<Outcome> {
    try {
      return { value: (await this.#perform(operation)) ?? null };
    } catch (error) {
      if (isKernelError(error)) return { errno: error.errno };
      throw error;
    }
  }

  async #perform(operation: Operation): Promise<unknown> {
    if ("slot" in operation) return this.#performHeld(operation);
    const { sys } = this;
    const { path } = operation;
    switch (operation.op) {
      case "mkdir":
        return sys.mkdir(path, operation.mode);
      case "rmdir":
        return sys.rmdir(path);
      case "unlink":
        return sys.unlink(path);
      case "readlink":
        return sys.readlink(path);
      case "stat":
        return describeStat(await sys.stat(path));
      case "lstat":
        return describeStat(await sys.lstat(path));
      case "readdir":
        return this.#withFile(path, O_RDONLY | O_DIRECTORY, 0, (fd) => this.#readdir(fd));
      case "readFile":
        return this.#withFile(path, O_RDONLY, 0, (fd) => this.#readAll(fd));
      case "rename":
        return sys.rename(path, operation.to);
      case "link":
        return sys.link(path, operation.to);
      case "symlink":
        return sys.symlink(operation.target, path);
      case "write": {
        const { flags, mode, piece } = operation;
        return this.#withFile(path, flagBits(flags), mode, (fd) => this.#writeAt(fd, piece));
      }
      case "truncate":
        return sys.truncate(path, operation.size);
      case "chmod":
        return sys.chmod(path, operation.mode);
      case "chown":
        return sys.chown(path, operation.uid, operation.gid);
      case "lchown":
        return sys.lchown(path, operation.uid, operation.gid);
      case "utimes": {
        const { atimeMs, mtimeMs } = operation;
        await sys.utimes(path, { atimeMs, mtimeMs });
        const stat = await sys.stat(path);
        return [stat.atimeMs, stat.mtimeMs];
      }
    }
  }

  async #performHeld(operation: Extract<Operation, { slot: number }>): Promise<unknown> {
    const { sys } = this;
    if (operation.op === "hold") {
      const fd = await sys.open(operation.path, flagBits(operation.flags), 0o644);
      await this.#letGo(operation.slot);
      this.#held.set(operation.slot, fd);
      return undefined;
    }
    const fd = this.#held.get(operation.slot);
    if (fd === undefined) return "not held";
    switch (operation.op) {
      case "heldWrite":
        return this.#writeAt(fd, operation.piece);
      case "heldAppend":
        return sys.write(fd, bytesOf(operation.piece));
      case "heldTruncate":
        return sys.ftruncate(fd, operation.size);
      case "heldRead":
        return this.#readAll(fd);
      case "heldStat":
        return describeStat(await sys.fstat(fd));
      case "letGo":
        return this.#letGo(operation.slot);
    }
  }

  async #letGo(slot: number): Promise<void> {
    const fd = this.#held.get(slot);
    if (fd !== undefined) await this.sys.close(fd);
    this.#held.delete(slot);
  }

  async #withFile<T>(
    path: string,
    flags: number,
    mode: number,
    use: (fd: number) => Promise<T>,
  ): Promise<T> {
    const fd = await this.sys.open(path, flags, mode);
    try {
      return await use(fd);
    } finally {
      await this.sys.close(fd);
    }
  }

  #writeAt(fd: number, piece: Piece): Promise<number> {
    return this.sys.pwrite(fd, bytesOf(piece), piece.offset);
  }

  async #readAll(fd: number): Promise<string> {
    const count = await this.sys.pread(fd, this.#buffer, 0);
    return digest(this.#buffer.subarray(0, count));
  }

  async #readdir(fd: number): Promise<string[]> {
    const all: DirectoryEntry[] = [];
    for (;;) {
      const entries = await this.sys.readdir(fd, 3);
      if (entries.length === 0) break;
      all.push(...entries);
    }
    return all.map(({ name, kind }) => `${name} ${kind}`).toSorted();
  }
}

function bytesOf({ length, fill }: Piece): Uint8Array {
  return new Uint8Array(length).fill(fill);
}

function describeStat({ kind, mode, nlink, uid, gid, size }: Stat): StatFacts {
  return { kind, mode, nlink, uid, gid, size: kind === "directory" ? 0 : size };
}
