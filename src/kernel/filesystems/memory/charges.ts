import { isKernelError } from "../../abi/kernel-error.ts";
import { Limits } from "../../limits/limits.ts";
import type { NewFile } from "../../vfs/file-system.ts";
import { FileContent } from "./file-content.ts";
import { type MemoryInode, targetBytes } from "./memory-inode.ts";

/**
 * What the files of one memory file system count against the VM's limits.
 *
 * maxFilesystemBytes counts the bytes of pages, maxInodeCount files and further names. All of it is
 * given back exactly: pages when cut off, the rest with the last name and the last holder.
 */
export class Charges {
  readonly limits: Limits;
  /** What of the limits is this file system's. */
  readonly #charged = { maxInodeCount: 0, maxFilesystemBytes: 0 };

  constructor(limits: Limits | undefined) {
    this.limits = limits ?? withoutLimits();
  }

  /** For a new file with its first name; fails with ENOSPC. */
  newFile(file: NewFile): void {
    this.#charge("maxInodeCount");
    try {
      this.#charge("maxFilesystemBytes", targetBytes(file.target ?? ""));
    } catch (error) {
      this.#discharge("maxInodeCount");
      throw error;
    }
  }

  newName(): void {
    this.#charge("maxInodeCount");
  }

  /** For a write; fails with EFBIG or ENOSPC. */
  write(file: MemoryInode, offset: number, length: number): void {
    this.limits.check("maxFileBytes", offset + length);
    this.#charge("maxFilesystemBytes", file.content.growthFor(offset, length));
  }

  truncate(file: MemoryInode, sizeBytes: number): void {
    this.limits.check("maxFileBytes", sizeBytes);
    const heldBefore = file.heldBytes;
    file.content.truncate(sizeBytes);
    this.#discharge("maxFilesystemBytes", heldBefore - file.heldBytes);
  }

  dropName(inode: MemoryInode): void {
    const costBefore = inode.inodeCost;
    inode.names -= 1;
    this.#discharge("maxInodeCount", costBefore - inode.inodeCost);
    this.#forgetUnused(inode);
  }

  /** A file may have lost its last name after it was looked up: its holder finds it whole. */
  addHolder(inode: MemoryInode): void {
    inode.holders += 1;
    if (!inode.isGone) return;
    inode.isGone = false;
    inode.freeNames = 1;
    try {
      this.#charge("maxFilesystemBytes", inode.heldBytes);
    } catch (error) {
      if (!isKernelError(error, "ENOSPC")) throw error;
      inode.content = new FileContent();
    }
  }

  dropHolder(inode: MemoryInode): void {
    inode.holders -= 1;
    this.#forgetUnused(inode);
  }

  /** Gives all of it back, when nobody can reach the file system any more. */
  giveBack(): void {
    const { maxInodeCount, maxFilesystemBytes } = this.#charged;
    this.#discharge("maxInodeCount", maxInodeCount);
    this.#discharge("maxFilesystemBytes", maxFilesystemBytes);
  }

  #charge(limit: "maxInodeCount" | "maxFilesystemBytes", amount = 1): void {
    this.limits.charge(limit, amount);
    this.#charged[limit] += amount;
  }

  #discharge(limit: "maxInodeCount" | "maxFilesystemBytes", amount = 1): void {
    this.limits.discharge(limit, amount);
    this.#charged[limit] -= amount;
  }

  #forgetUnused(inode: MemoryInode): void {
    if (inode.names > 0 || inode.holders > 0 || inode.isGone) return;
    this.#discharge("maxInodeCount", inode.inodeCost);
    this.#discharge("maxFilesystemBytes", inode.heldBytes);
    inode.isGone = true;
  }
}

function withoutLimits(): Limits {
  const most = Number.MAX_SAFE_INTEGER;
  return new Limits({ maxFilesystemBytes: most, maxInodeCount: most }, () => undefined);
}
