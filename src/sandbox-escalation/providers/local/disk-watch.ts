// Watches how much of the host's disk a sandbox uses. Counting its files takes long when they are many; the free space of
// the disk is known at once. So the files are counted now and then, and whenever the disk has lost as much as the sandbox may
// still use, whoever used it: the brake stops the sandbox until they are counted. The last of the disk belongs to the host,
// whatever the limit.
import { statfs } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { DiskFloor } from "../../agent/agent-link.ts";

export interface DiskWatchOptions {
  readonly limitMb: number;
  /** Directories whose files count together. */
  readonly directories: readonly string[];
  /** What they take now; undefined where that cannot be said in time. */
  readonly measure: (directories: readonly string[]) => Promise<DiskUse | undefined>;
  /** What their disk has; statfs(2) by itself. */
  readonly findFree?: (directories: readonly string[]) => Promise<Free>;
  readonly brake?: DiskBrake | undefined;
}

/** Stops a sandbox by itself while a disk has too little room: it is quicker than any look of ours. */
export interface DiskBrake {
  /** One floor for each directory. */
  readonly set: (floors: readonly DiskFloor[]) => void;
  /** What was stopped goes on. */
  readonly release: () => void;
}

export interface DiskUse {
  readonly bytes: number;
  readonly files: number;
}

export interface Free extends DiskUse {
  /** Free bytes of each directory's disk. */
  readonly each: readonly number[];
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
  #waitMs = 0;
  #recountAgainMs = 0;

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

  /** The brake has stopped the sandbox: counts its files now. Why the sandbox must end, if it must; else it goes on. */
  async recount(): Promise<string | undefined> {
    const { directories, findFree = findFreeSpace } = this.#options;
    await this.#measuring;
    // A sandbox that says all the time that it was stopped gets half of a core for it.
    await pause(Math.max(0, this.#recountAgainMs - performance.now()), undefined, { ref: false });
    const start = performance.now();
    this.#measuring ??= this.#measure(await findFree(directories));
    await this.#measuring;
    this.#recountAgainMs = performance.now() * 2 - start;
    return this.#excess;
  }

  async #measure(free: Free): Promise<void> {
    const { measure, directories } = this.#options;
    const start = performance.now();
    this.#freeAtMeasure = free;
    try {
      this.#excess = this.#describeExcess(await measure(directories));
      if (this.#excess === undefined) this.#setBrake(free);
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

  /** `free` was found before the files were counted: what was written since then counts against the floor. */
  #setBrake({ each, reserveBytes }: Free): void {
    const limitBytes = this.#options.limitMb * MEBIBYTE;
    const left = limitBytes - this.#use.bytes;
    // First at nine tenths of the limit, then at half of what is left, and so on.
    const isNear = left <= limitBytes / 10;
    const allowed = Math.max(isNear ? left / 2 : left - limitBytes / 10, SMALLEST_ALLOWANCE_BYTES);
    const floors = each.map((bytes) => {
      const lends = Math.max(bytes - reserveBytes, reserveBytes / 4);
      const below = (taken: number): number =>
        Math.max(1, Math.floor(bytes - Math.min(taken, lends)));
      return { stopBytes: below(allowed), endBytes: below(left) };
    });
    this.#options.brake?.set(floors);
    this.#options.brake?.release();
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
  const each = found.map(({ bavail, bsize }) => bavail * bsize);
  return {
    bytes: Math.min(...each),
    each,
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
/** Counting again and again for less would take longer than writing it. */
const SMALLEST_ALLOWANCE_BYTES = MEBIBYTE;
/** Of large disks; a twentieth of small ones. */
const LARGEST_RESERVE_BYTES = 1024 * MEBIBYTE;
