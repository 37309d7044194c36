/**
 * What is done to a shared directory, call by call. All of it waits for the disk, so it runs in a thread
 * of its own (disk-thread.ts). Fails with Node's errors and with KernelError.
 */
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
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  statfsSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { decodeText, encodeText, KernelError, type StatFs } from "../../kernel/index.ts";
import {
  type FileFacts,
  factsOf,
  type HeldFile,
  hold,
  holdRoot,
  inside,
  itself,
  withContent,
} from "./reach-by-fd.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR, O_WRONLY, O_APPEND } = constants;

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

export interface Changes {
  readonly mode?: number;
  readonly atimeMs?: number;
  readonly mtimeMs?: number;
}

export function openRoot({ path }: { readonly path: string }): HeldFile {
  return holdRoot(path);
}

/** Undefined where there is nothing. */
export function find({ directory, name }: HeldName): HeldFile | undefined {
  try {
    return hold(inside(directory, name));
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

export function close({ fd }: { readonly fd: number }): void {
  closeSync(fd);
}

export function stat({ fd }: { readonly fd: number }): FileFacts {
  return factsOf(fstatSync(fd, { bigint: true }));
}

/** Where a link leads: by its name, since no call of Node's takes a link that is held. */
export function readLink(at: HeldName & { readonly identity: string }): string {
  requireIdentity(at, at.identity);
  return decodeText(readlinkSync(inside(at.directory, at.name), { encoding: "buffer" }));
}

export function read(wish: {
  readonly fd: number;
  readonly offset: number;
  readonly length: number;
}): Uint8Array {
  return withContent(wish.fd, O_RDONLY, (fd) => {
    const { size } = fstatSync(fd);
    const bytes = new Uint8Array(Math.max(0, Math.min(wish.length, size - wish.offset)));
    let done = 0;
    while (done < bytes.length) {
      const count = readSync(fd, bytes, done, bytes.length - done, wish.offset + done);
      if (count === 0) return bytes.slice(0, done);
      done += count;
    }
    return bytes;
  });
}

/** As `read`, into memory that both threads see: answers how much. */
export function readInto(
  into: Uint8Array,
  wish: { readonly fd: number; readonly offset: number },
): number {
  return withContent(wish.fd, O_RDONLY, (fd) => {
    let done = 0;
    while (done < into.length) {
      const count = readSync(fd, into, done, into.length - done, wish.offset + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  });
}

/** Blocks of 512 bytes that a file has now, and how many more than before. */
export interface Grown {
  readonly offset: number;
  readonly grownBlocks: number;
}

/** Without room for all of it nothing is added. */
export function write(wish: {
  readonly fd: number;
  readonly bytes: Uint8Array;
  readonly offset: number | "end";
}): Grown {
  const flags = wish.offset === "end" ? O_WRONLY | O_APPEND : O_WRONLY;
  return withContent(wish.fd, flags, (fd) => {
    const before = fstatSync(fd);
    const { bytes } = wish;
    if (bytes.length === 0) {
      return { offset: wish.offset === "end" ? before.size : wish.offset, grownBlocks: 0 };
    }
    const position = wish.offset === "end" ? null : wish.offset;
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

export function truncate(wish: { readonly fd: number; readonly size: number }): Grown {
  return withContent(wish.fd, O_WRONLY, (fd) => {
    const before = fstatSync(fd).blocks;
    ftruncateSync(fd, wish.size);
    return { offset: wish.size, grownBlocks: fstatSync(fd).blocks - before };
  });
}

export function create(file: NewHostFile): HeldFile {
  const path = inside(file.directory, file.name);
  if (file.kind === "file") return createFile(path, file);
  if (file.kind === "directory") mkdirSync(path, { mode: 0o700 });
  else symlinkSync(Buffer.from(encodeText(file.target)), path);
  const held = hold(path);
  try {
    // Whoever was quicker has put its own there: that is left as it is.
    if (held.facts.kind !== file.kind) throw new KernelError("ESTALE");
    const own = itself(held.fd);
    if (file.owner !== undefined) chownSync(own, file.owner.uid, file.owner.gid);
    if (file.kind === "directory") chmodSync(own, file.mode);
    return { fd: held.fd, facts: stat(held) };
  } catch (error) {
    closeSync(held.fd);
    throw error;
  }
}

function createFile(path: Buffer, { owner, mode }: NewHostFile): HeldFile {
  const fd = openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600);
  try {
    if (owner !== undefined) fchownSync(fd, owner.uid, owner.gid);
    fchmodSync(fd, mode);
    const held = openSync(itself(fd), PATH_ONLY);
    return { fd: held, facts: stat({ fd: held }) };
  } finally {
    closeSync(fd);
  }
}

/** Linux's O_PATH; the link of an open descriptor is followed, to the file itself. */
const PATH_ONLY = 0o10000000;

/** A second name for the file of that identity. ENOENT when its name leads elsewhere by now. */
export function link(wish: {
  readonly from: HeldName;
  readonly to: HeldName;
  readonly identity: string;
}): void {
  requireIdentity(wish.from, wish.identity);
  const to = inside(wish.to.directory, wish.to.name);
  linkSync(inside(wish.from.directory, wish.from.name), to);
  if (identityAt(wish.to) === wish.identity) return;
  unlinkSync(to);
  throw new KernelError("ENOENT");
}

/** Answers the blocks that were given back with the last name. */
export function unlink(at: HeldName): number {
  const path = inside(at.directory, at.name);
  const { nlink, blocks } = lstatSync(path);
  unlinkSync(path);
  return nlink === 1 ? blocks : 0;
}

export function rmdir(at: HeldName): void {
  rmdirSync(inside(at.directory, at.name));
}

/** ENOENT when the name leads to another file than the one of that identity, where one is given. */
export function rename(wish: {
  readonly from: HeldName;
  readonly to: HeldName;
  readonly identity: string | undefined;
}): void {
  if (wish.identity !== undefined) requireIdentity(wish.from, wish.identity);
  renameSync(inside(wish.from.directory, wish.from.name), inside(wish.to.directory, wish.to.name));
}

export function change({ fd, changes }: { readonly fd: number; readonly changes: Changes }): void {
  const { mode, atimeMs, mtimeMs } = changes;
  const stats = fstatSync(fd);
  if (mode !== undefined && !stats.isSymbolicLink()) chmodSync(itself(fd), mode);
  if (atimeMs === undefined && mtimeMs === undefined) return;
  utimesSync(itself(fd), timeOf(atimeMs ?? stats.atimeMs), timeOf(mtimeMs ?? stats.mtimeMs));
}

/**
 * Node cuts what a number of seconds cannot hold exactly: a little more keeps the microsecond. It takes a
 * negative number for now, but not a date.
 */
function timeOf(ms: number): number | Date {
  if (ms < 0) return new Date(ms);
  return Number.isInteger(ms / 1000) ? ms / 1000 : ms / 1000 + 3e-7;
}

export function statFs({ fd }: { readonly fd: number }): Omit<StatFs, "type"> {
  const { bsize, blocks, bavail, files, ffree } = statfsSync(itself(fd));
  return {
    blockSize: bsize,
    totalBytes: blocks * bsize,
    freeBytes: bavail * bsize,
    totalInodes: files,
    freeInodes: ffree,
  };
}

function requireIdentity(at: HeldName, identity: string): void {
  if (identityAt(at) !== identity) throw new KernelError("ENOENT");
}

function identityAt({ directory, name }: HeldName): string {
  return factsOf(lstatSync(inside(directory, name), { bigint: true })).identity;
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
