// Watches what a sandbox takes of the host's disk. To sum up its files takes long when they are many; how much room the
// disk has is known at once. So a sum is made now and then, and as soon as the disk has lost what the sandbox may still
// take, whoever took it.
import { statfs } from "node:fs/promises";

export interface DiskWatchOptions {
  readonly limitMb: number;
  /** Directories whose files count together. */
  readonly directories: readonly string[];
  /** What they take now. */
  readonly measure: (directories: readonly string[]) => Promise<DiskUse>;
}

export interface DiskUse {
  readonly bytes: number;
  readonly files: number;
}

export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #use: DiskUse = { bytes: 0, files: 0 };
  /** When the use was measured, in looks, and what the disk had free then. */
  #looks = 0;
  #free: DiskUse | undefined;
  #freeAtStart: DiskUse | undefined;
  #waits = 0;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  /** Why the sandbox must end, if it must. To be called every DISK_LOOK_MS. */
  async look(): Promise<string | undefined> {
    const free = await this.#findFree();
    this.#freeAtStart ??= free;
    if (this.#isNearlyFull(free)) return "The disk of this machine is nearly full.";
    this.#looks += 1;
    if (this.#looks < this.#waits && !this.#mayBeOver(free)) return undefined;
    const start = performance.now();
    this.#free = free;
    this.#use = await this.#options.measure(this.#options.directories);
    this.#looks = 0;
    // It never takes more than a tenth of a core, while nothing is wrong.
    this.#waits = Math.max(LOOKS_BETWEEN, ((performance.now() - start) * 9) / DISK_LOOK_MS);
    return this.#describeExcess();
  }

  #describeExcess(): string | undefined {
    const { limitMb } = this.#options;
    if (this.#use.bytes > limitMb * MEBIBYTE)
      return `The sandbox took more than its ${limitMb} MB of disk. Remove files from its workspace.`;
    if (this.#use.files > limitMb * FILES_PER_MEBIBYTE)
      return `The sandbox has more than the ${limitMb * FILES_PER_MEBIBYTE} files that ${limitMb} MB of disk may be. Remove files from its workspace.`;
    return undefined;
  }

  /** Whether the disk lost as much as the sandbox may still take. */
  #mayBeOver(free: DiskUse): boolean {
    if (this.#free === undefined) return true;
    const { limitMb } = this.#options;
    const bytes = Math.max(limitMb * MEBIBYTE - this.#use.bytes, SMALLEST_LOSS_BYTES);
    const files = Math.max(limitMb * FILES_PER_MEBIBYTE - this.#use.files, SMALLEST_LOSS_FILES);
    return this.#free.bytes - free.bytes >= bytes || this.#free.files - free.files >= files;
  }

  /** A disk that was so before is not this sandbox's doing. */
  #isNearlyFull(free: DiskUse): boolean {
    if (this.#freeAtStart === undefined || free.bytes >= RESERVE_BYTES) return false;
    return this.#freeAtStart.bytes - free.bytes > RESERVE_BYTES / 4;
  }

  /** Of the disk that has least. */
  async #findFree(): Promise<DiskUse> {
    const found = await Promise.all(this.#options.directories.map((path) => statfs(path)));
    return {
      bytes: Math.min(...found.map(({ bavail, bsize }) => bavail * bsize)),
      files: Math.min(...found.map(({ ffree }) => ffree)),
    };
  }
}

export const DISK_LOOK_MS = 100;
/** A second. */
const LOOKS_BETWEEN = 10;
const MEBIBYTE = 1024 * 1024;
/** As mke2fs(8) reckons: one for every 16 KiB. */
const FILES_PER_MEBIBYTE = 64;
/** What other programs write all the time is no reason to look. */
const SMALLEST_LOSS_BYTES = 4 * MEBIBYTE;
const SMALLEST_LOSS_FILES = 1000;
/** The last of the disk is the host's. */
const RESERVE_BYTES = 256 * MEBIBYTE;
