/** How files of a host folder are changed, in the disk's thread. Fails with Node's errors and with KernelError. */
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { encodeText, KernelError } from "../../../kernel/index.ts";
import { factsOf, type HeldFile, type Reach } from "./reach.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR, O_WRONLY, O_APPEND } = constants;

/** A name in a held directory. */
export interface HeldName {
  readonly directory: number;
  readonly name: string;
}

export interface HostOwner {
  readonly uid: number;
  readonly gid: number;
}

export interface NewHostFile extends HeldName {
  readonly kind: "file" | "directory" | "symlink";
  readonly mode: number;
  readonly target: string;
  readonly owner: HostOwner | undefined;
}

/** Where the next write goes on, and how many blocks of 512 bytes the file has more than before. */
export interface Grown {
  readonly offset: number;
  readonly grownBlocks: number;
}

interface Changes {
  readonly mode?: number;
  readonly atimeMs?: number;
  readonly mtimeMs?: number;
}

export class DiskChanges {
  readonly #reach: Reach;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** Without room for all of it nothing is added. */
  write(request: {
    readonly fd: number;
    readonly bytes: Uint8Array;
    readonly offset: number | "end";
  }): Grown {
    const flags = request.offset === "end" ? O_WRONLY | O_APPEND : O_WRONLY;
    return this.#reach.withContent(request.fd, flags, (fd) => {
      const before = fstatSync(fd);
      const { bytes } = request;
      if (bytes.length === 0) {
        return { offset: request.offset === "end" ? before.size : request.offset, grownBlocks: 0 };
      }
      const position = request.offset === "end" ? null : request.offset;
      try {
        for (let done = 0; done < bytes.length; ) {
          const at = position === null ? null : position + done;
          done += writeSync(fd, bytes, done, bytes.length - done, at);
        }
      } catch (error) {
        if (fstatSync(fd).size > before.size) ftruncateSync(fd, before.size);
        throw error;
      }
      const { size, blocks } = fstatSync(fd);
      const offset = position === null ? size : position + bytes.length;
      return { offset, grownBlocks: blocks - before.blocks };
    });
  }

  truncate(request: { readonly fd: number; readonly size: number }): Grown {
    return this.#reach.withContent(request.fd, O_WRONLY, (fd) => {
      const before = fstatSync(fd).blocks;
      ftruncateSync(fd, request.size);
      return { offset: request.size, grownBlocks: fstatSync(fd).blocks - before };
    });
  }

  create(file: NewHostFile): HeldFile {
    const path = this.#reach.inside(file.directory, file.name);
    if (file.kind === "file") return this.#createFile(path, file);
    if (file.kind === "directory") mkdirSync(path, { mode: 0o700 });
    else symlinkSync(Buffer.from(encodeText(file.target)), path);
    const held = this.#reach.hold(file.directory, file.name);
    try {
      // Somebody was quicker and put another file there: that is left as it is.
      if (held.facts.kind !== file.kind) throw new KernelError("ESTALE");
      const own = this.#reach.itself(held.fd);
      if (file.owner !== undefined) chownSync(own, file.owner.uid, file.owner.gid);
      if (file.kind === "directory") chmodSync(own, file.mode);
      return { fd: held.fd, facts: this.#reach.stat(held.fd) };
    } catch (error) {
      this.#reach.close(held.fd);
      throw error;
    }
  }

  /** A second name for the file of that identity. ENOENT when its name leads elsewhere by now. */
  link(request: {
    readonly from: HeldName;
    readonly to: HeldName;
    readonly identity: string;
  }): void {
    this.#requireIdentity(request.from, request.identity);
    const to = this.#at(request.to);
    linkSync(this.#at(request.from), to);
    if (this.#identityAt(request.to) === request.identity) return;
    unlinkSync(to);
    throw new KernelError("ENOENT");
  }

  /** Answers the blocks that were given back with the last name. */
  unlink(at: HeldName): number {
    const path = this.#at(at);
    const { nlink, blocks } = lstatSync(path);
    unlinkSync(path);
    return nlink === 1 ? blocks : 0;
  }

  rmdir(at: HeldName): void {
    rmdirSync(this.#at(at));
  }

  /** ENOENT when the name leads to another file than the one of that identity, where one is given. */
  rename(request: {
    readonly from: HeldName;
    readonly to: HeldName;
    readonly identity: string | undefined;
  }): void {
    if (request.identity !== undefined) this.#requireIdentity(request.from, request.identity);
    renameSync(this.#at(request.from), this.#at(request.to));
  }

  change({ fd, changes }: { readonly fd: number; readonly changes: Changes }): void {
    const { mode, atimeMs, mtimeMs } = changes;
    const { kind, ...stats } = this.#reach.stat(fd);
    const path = this.#reach.itself(fd);
    if (mode !== undefined && kind !== "symlink") chmodSync(path, mode);
    if (atimeMs === undefined && mtimeMs === undefined) return;
    utimesSync(path, timeOf(atimeMs ?? stats.atimeMs), timeOf(mtimeMs ?? stats.mtimeMs));
  }

  #createFile(path: Buffer, { owner, mode }: NewHostFile): HeldFile {
    const fd = openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600);
    try {
      if (owner !== undefined) fchownSync(fd, owner.uid, owner.gid);
      fchmodSync(fd, mode);
      return this.#reach.holdOpen(fd);
    } finally {
      closeSync(fd);
    }
  }

  #at({ directory, name }: HeldName): Buffer {
    return this.#reach.inside(directory, name);
  }

  #requireIdentity(at: HeldName, identity: string): void {
    if (this.#identityAt(at) !== identity) throw new KernelError("ENOENT");
  }

  #identityAt(at: HeldName): string {
    return factsOf(lstatSync(this.#at(at), { bigint: true })).identity;
  }
}

/**
 * Node cuts what a number of seconds cannot hold exactly: a little more keeps the microsecond. It takes a
 * negative number for now, but not a date.
 */
function timeOf(ms: number): number | Date {
  if (ms < 0) return new Date(ms);
  return Number.isInteger(ms / 1000) ? ms / 1000 : ms / 1000 + 3e-7;
}
