import type { FileKind, Inode, Stat } from "../../../kernel/index.ts";
import type { FolderEntry } from "../../wire/listing.ts";
import type { Block } from "./block-cache.ts";
import type { Listing } from "./listing-cache.ts";

/** The unit of stat's blocks. */
const BLOCK_BYTES = 512;

/** A file of a host's directory as it was when its directory was listed: none of it changes. */
export class HostInode implements Inode {
  readonly ino: number;
  readonly kind: FileKind;
  readonly size: number;
  readonly mtimeMs: number;
  readonly target: string | undefined;
  readonly name: string;
  readonly parent: HostInode | undefined;
  readonly #mode: number;
  /** What is in it, while that is kept. Only directories have it. */
  listing: Listing | undefined;
  #blocks: Map<number, Block> | undefined;

  constructor(entry: FolderEntry, parent: HostInode | undefined, ino: number) {
    this.ino = ino;
    // Deviation: FIFOs, sockets and devices of a host's directory are devices that nobody can open.
    this.kind = entry.kind === "other" ? "device" : entry.kind;
    this.size = entry.size;
    this.mtimeMs = entry.mtimeMs;
    this.target = entry.target;
    this.name = entry.name;
    this.parent = parent;
    this.#mode = entry.mode;
  }

  /** The parts of its content that are kept, by their number. */
  get blocks(): Map<number, Block> {
    this.#blocks ??= new Map();
    return this.#blocks;
  }

  /** From the directory's root, without a slash before it. */
  get path(): string {
    const { parent, name } = this;
    if (parent === undefined) return "";
    return parent.parent === undefined ? name : `${parent.path}/${name}`;
  }

  /** Everything belongs to root and has one name; a directory with one link has any number in it. */
  stat(): Stat {
    const { kind, ino, size, mtimeMs } = this;
    return {
      kind,
      mode: this.#mode,
      uid: 0,
      gid: 0,
      size,
      nlink: 1,
      ino,
      dev: 0,
      rdev: 0,
      blocks: kind === "file" ? Math.ceil(size / BLOCK_BYTES) : 0,
      atimeMs: mtimeMs,
      mtimeMs,
      ctimeMs: mtimeMs,
    };
  }
}
