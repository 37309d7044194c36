import {
  type DirectoryPage,
  type FileSystem,
  type Inode,
  KernelError,
  type OpenFile,
  type Stat,
  type StatFs,
} from "../../../kernel/index.ts";
import type { FolderEntry } from "../../wire/listing.ts";
import { type Block, BlockCache } from "./block-cache.ts";
import { HostInode } from "./host-inode.ts";
import { type Listing, ListingCache, ROOT_INO } from "./listing-cache.ts";

/** A directory of the host as somebody reads it who may. Paths are as HostInode's. */
export interface HostDirectory {
  /** All entries; `room` fails when there are more than can be kept. */
  list(path: string, room: (entries: number) => void): Promise<readonly FolderEntry[]>;
  read(
    path: string,
    offset: number,
    length: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly sizeBytes: number; readonly mtimeMs: number }>;
}

/** What is kept for all host directories of a VM. */
export class HostDirectoryCaches {
  readonly listings: ListingCache;
  readonly blocks: BlockCache;

  constructor(limits: { readonly entries: number; readonly bytes: number }) {
    this.listings = new ListingCache(limits.entries);
    this.blocks = new BlockCache(limits.bytes);
  }
}

/** What is read at once. Most files of a package are one block. */
export const BLOCK_BYTES = 1 << 18;
/** Blocks of one read that are on their way at once. */
const AHEAD = 4;

/**
 * A directory of the host, read-only. It must not change: what has been seen once is not looked at
 * again. A directory is fetched as a whole, with the attributes of all in it, so a name that is not
 * there is known without asking. A file that turns out to have changed fails with ESTALE.
 */
export class HostDirectoryFileSystem implements FileSystem {
  readonly type = "host-directory";
  readonly isReadOnly = true;
  readonly root: HostInode;
  readonly #host: HostDirectory;
  readonly #listings: ListingCache;
  readonly #blocks: BlockCache;

  constructor(host: HostDirectory, caches: HostDirectoryCaches, mtimeMs: number) {
    this.#host = host;
    this.#listings = caches.listings;
    this.#blocks = caches.blocks;
    const root = { name: "", kind: "directory", mode: 0o755, size: 0, mtimeMs } as const;
    this.root = new HostInode(root, undefined, ROOT_INO);
  }

  async lookup(directory: Inode, name: string): Promise<HostInode | undefined> {
    return (await this.#list(own(directory))).byName.get(name);
  }

  async stat(inode: Inode): Promise<Stat> {
    return own(inode).stat();
  }

  async readlink(inode: Inode): Promise<string> {
    const { target } = own(inode);
    if (target === undefined) throw new KernelError("EINVAL");
    return target;
  }

  async list(directory: Inode, cursor: number, limit: number): Promise<DirectoryPage> {
    const { files } = await this.#list(own(directory));
    const end = cursor + limit;
    const entries = files.slice(cursor, end).map(({ name, kind, ino }) => ({ name, kind, ino }));
    return { entries, cursor: end < files.length ? end : undefined };
  }

  async read(inode: Inode, into: Uint8Array, offset: number): Promise<number> {
    const file = own(inode);
    const end = Math.min(offset + into.length, file.size);
    let at = offset;
    while (at < end) {
      const number = Math.floor(at / BLOCK_BYTES);
      const bytes = await this.#block(file, number, end);
      const start = at - number * BLOCK_BYTES;
      const part = bytes.subarray(start, start + end - at);
      into.set(part, at - offset);
      at += part.length;
    }
    return Math.max(0, at - offset);
  }

  /** Special files of the host are its own. */
  async openDevice(): Promise<OpenFile> {
    throw new KernelError("EACCES", undefined, "a special file of the host");
  }

  async statFs(): Promise<StatFs> {
    const nothing = { totalBytes: 0, freeBytes: 0, totalInodes: 0, freeInodes: 0 };
    return { type: this.type, blockSize: 4096, ...nothing };
  }

  readonly write = refuse;
  readonly truncate = refuse;
  readonly create = refuse;
  readonly link = refuse;
  readonly unlink = refuse;
  readonly rmdir = refuse;
  readonly rename = refuse;
  readonly setAttributes = refuse;

  async sync(): Promise<void> {}
  /** An inode lives as long as somebody holds it, see ListingCache. */
  retain(): void {}
  release(): void {}

  async #list(directory: HostInode): Promise<Listing> {
    const kept = this.#listings.find(directory);
    if (kept !== undefined) return kept;
    const room = (entries: number): void => this.#listings.requireRoom(entries);
    return this.#listings.fetch(directory, () => this.#host.list(directory.path, room));
  }

  /** The block, with those behind it on their way: what this read wants, or a reader in order will. */
  #block(file: HostInode, number: number, end: number): Promise<Uint8Array> {
    const isInOrder = number > 0 && file.blocks.has(number - 1);
    const wanted = isInOrder ? file.size : end;
    const last = Math.min(Math.ceil(wanted / BLOCK_BYTES), number + AHEAD);
    const { bytes } = this.#find(file, number);
    for (let next = number + 1; next < last; next++) {
      if (!file.blocks.has(next)) this.#find(file, next);
    }
    return bytes;
  }

  #find(file: HostInode, number: number): Block {
    const kept = this.#blocks.find(file, number);
    if (kept !== undefined) return kept;
    const offset = number * BLOCK_BYTES;
    const sizeBytes = Math.min(BLOCK_BYTES, file.size - offset);
    const bytes = this.#fetch(file, offset, sizeBytes);
    const block = { inode: file, number, sizeBytes, bytes };
    this.#blocks.keep(block);
    return block;
  }

  async #fetch(file: HostInode, offset: number, length: number): Promise<Uint8Array> {
    const { bytes, sizeBytes, mtimeMs } = await this.#host.read(file.path, offset, length);
    const isSame = sizeBytes === file.size && mtimeMs === file.mtimeMs && bytes.length === length;
    if (!isSame) throw new KernelError("ESTALE", undefined, "the host has changed this software");
    return bytes;
  }
}

async function refuse(): Promise<never> {
  throw new KernelError("EROFS");
}

function own(inode: Inode): HostInode {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the VFS gives back only inodes this driver made
  return inode as HostInode;
}
