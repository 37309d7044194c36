// Watches what a sandbox takes of the host's disk. To sum up its files takes long when they are many; how much room the
// disk has is known at once. So a sum is made now and then, and as soon as the disk has lost what the sandbox may still
// take, whoever took it. The last of the disk is the host's, whatever the limit.
import { statfs } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

export interface DiskWatchOptions {
  readonly limitMb: number;
  /** Directories whose files count together. */
  readonly directories: readonly string[];
  /** What they take now; undefined where that cannot be said in time. */
  readonly measure: (directories: readonly string[]) => Promise<DiskUse | undefined>;
  /** What their disk has; statfs(2) by itself. */
  readonly findFree?: (directories: readonly string[]) => Promise<Free>;
}

export interface DiskUse {
  readonly bytes: number;
  readonly files: number;
}

export interface Free extends DiskUse {
  /** What is left to the host. */
  readonly reserveBytes: number;
}

/** Whether a disk holds so much more and keeps what is left to the host. */
export async function hasRoomFor(path: string, bytes: number): Promise<boolean> {
  const free = await findFreeSpace([path]);
  return free.bytes - bytes > free.reserveBytes;
}

export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #use: DiskUse = { bytes: 0, files: 0 };
  #measureAgainMs = 0;
  /** Guests can make it take long: the disk is looked at meanwhile. */
  #measuring: Promise<void> | undefined;
  #excess: string | undefined;
  /** What the disk had free when the use was measured, at the last look, and at the first. */
  #freeAtMeasure: Free | undefined;
  #freeBefore: Free | undefined;
  #freeAtStart: Free | undefined;
  #waitMs = LOOK_MS;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  /** When to look again: soon while the disk fills quickly. */
  get waitMs(): number {
    return this.#waitMs;
  }

  /** Why the sandbox must end, if it must. */
  async look(): Promise<string | undefined> {
    const { directories, findFree = findFreeSpace } = this.#options;
    const free = await findFree(directories);
    const lostBytes = (this.#freeBefore?.bytes ?? free.bytes) - free.bytes;
    this.#waitMs = lostBytes > SMALLEST_LOSS_BYTES ? HURRIED_LOOK_MS : LOOK_MS;
    this.#freeBefore = free;
    this.#freeAtStart ??= free;
    if (this.#isNearlyFull(free)) return "The disk of this machine is nearly full.";
    const isDue = performance.now() >= this.#measureAgainMs || this.#mayBeOver(free);
    if (isDue) this.#measuring ??= this.#measure(free);
    // What is counted soon is known with this look; what takes longer, with a later one.
    await Promise.race([this.#measuring, pause(LOOK_MS, undefined, { ref: false })]);
    return this.#excess;
  }

  async #measure(free: Free): Promise<void> {
    const { measure, directories } = this.#options;
    const start = performance.now();
    this.#freeAtMeasure = free;
    try {
      this.#excess = this.#describeExcess(await measure(directories));
    } finally {
      // It never takes more than a tenth of a core, while nothing is wrong.
      const end = performance.now();
      this.#measureAgainMs = end + Math.max(MEASURE_MS, (end - start) * 9);
      this.#measuring = undefined;
    }
  }

  #describeExcess(use: DiskUse | undefined): string | undefined {
    const { limitMb } = this.#options;
    if (use === undefined)
      return "The sandbox's files cannot be counted in time: they are too many.";
    this.#use = use;
    if (use.bytes > limitMb * MEBIBYTE)
      return `The sandbox took more than its ${limitMb} MB of disk. Remove files from its workspace.`;
    if (use.files > limitMb * FILES_PER_MEBIBYTE)
      return `The sandbox has more than the ${limitMb * FILES_PER_MEBIBYTE} files that ${limitMb} MB of disk may be. Remove files from its workspace.`;
    return undefined;
  }

  /** Whether the disk lost as much as the sandbox may still take. */
  #mayBeOver(free: Free): boolean {
    const before = this.#freeAtMeasure;
    if (before === undefined) return true;
    const { limitMb } = this.#options;
    const bytes = Math.max(limitMb * MEBIBYTE - this.#use.bytes, SMALLEST_LOSS_BYTES);
    const files = Math.max(limitMb * FILES_PER_MEBIBYTE - this.#use.files, SMALLEST_LOSS_FILES);
    return before.bytes - free.bytes >= bytes || before.files - free.files >= files;
  }

  /** A disk that was so before is not this sandbox's doing. */
  #isNearlyFull(free: Free): boolean {
    if (this.#freeAtStart === undefined || free.bytes >= free.reserveBytes) return false;
    return this.#freeAtStart.bytes - free.bytes > free.reserveBytes / 4;
  }
}

/** Of the disk that has least. */
async function findFreeSpace(directories: readonly string[]): Promise<Free> {
  const found = await Promise.all(directories.map((path) => statfs(path)));
  const sizes = found.map(({ blocks, bsize }) => blocks * bsize);
  return {
    bytes: Math.min(...found.map(({ bavail, bsize }) => bavail * bsize)),
    files: Math.min(...found.map(({ ffree }) => ffree)),
    reserveBytes: Math.min(LARGEST_RESERVE_BYTES, Math.min(...sizes) / 20),
  };
}

const LOOK_MS = 100;
const HURRIED_LOOK_MS = 10;
const MEASURE_MS = 1000;
const MEBIBYTE = 1024 * 1024;
/** As mke2fs(8) reckons: one for every 16 KiB. */
const FILES_PER_MEBIBYTE = 64;
/** What other programs write all the time is no reason to look. */
const SMALLEST_LOSS_BYTES = 4 * MEBIBYTE;
const SMALLEST_LOSS_FILES = 1000;
/** Of large disks; a twentieth of small ones. */
const LARGEST_RESERVE_BYTES = 1024 * MEBIBYTE;
