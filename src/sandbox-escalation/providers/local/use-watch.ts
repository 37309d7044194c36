// What the kernel does not hold a sandbox to is watched: memory and processes where there is no control group, and the
// disk. Over a limit the sandbox is ended; a burst between two looks goes through ("soft").
import { readFile } from "node:fs/promises";
import type { SandboxLimits } from "../../provider.ts";
import { type DiskBrake, type DiskUse, DiskWatch } from "./disk-watch.ts";
import { sumNamelessBytes } from "./nameless-files.ts";
import { findTree } from "./process-tree.ts";
import { runCounter } from "./run-counter.ts";

export interface UseWatchOptions {
  /** The agent's pid on the host. */
  readonly pid: number;
  readonly limits: SandboxLimits;
  readonly watchesMemory: boolean;
  readonly watchesProcesses?: boolean;
  /** Directories whose files count together. */
  readonly directories: readonly string[];
  /** What they take; du(1) by itself. */
  readonly measure?: (directories: readonly string[]) => Promise<DiskUse | undefined>;
  /** What this machine has of memory; /proc/meminfo by itself. */
  readonly readHostMemory?: () => Promise<HostMemory>;
  readonly onExceeded: (reason: string) => void;
  readonly brake?: DiskBrake;
}

export interface HostMemory {
  readonly totalBytes: number;
  /** What new programs could have. */
  readonly freeBytes: number;
}

/** Looks again and again until stopped or a limit is met. */
export class UseWatch {
  readonly #options: UseWatchOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #disk: DiskWatch;
  #isStopped = false;
  #freeAtStart: number | undefined;

  constructor(options: UseWatchOptions) {
    this.#options = options;
    const { directories, limits } = options;
    if (options.watchesMemory) this.#repeat(MEMORY_EVERY_MS, () => this.#lookAtMemory());
    if (options.watchesProcesses === true)
      this.#repeat(PROCESSES_EVERY_MS, () => this.#lookAtProcesses());
    this.#disk = new DiskWatch({
      limitMb: limits.diskMb,
      directories,
      measure: () => this.#measureDisk(),
      brake: options.brake,
    });
    this.#watchDisk(this.#disk);
  }

  /** The brake has stopped the sandbox. */
  recountDisk(): void {
    this.#later(
      0,
      () => this.#disk.recount(),
      () => undefined,
    );
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** A look that takes long is repeated more seldom: what `#repeat` looks at never takes more than a tenth of a core. */
  #repeat(everyMs: number, look: () => Promise<string | undefined>, waitMs = everyMs): void {
    const start = performance.now();
    this.#later(waitMs, look, () => {
      const tookMs = performance.now() - start - waitMs;
      this.#repeat(everyMs, look, Math.max(everyMs, tookMs * 9));
    });
  }

  #watchDisk(disk: DiskWatch): void {
    this.#later(
      disk.waitMs,
      () => disk.look(),
      () => this.#watchDisk(disk),
    );
  }

  #later(waitMs: number, look: () => Promise<string | undefined>, next: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const goOn = (reason?: string) => {
        if (this.#isStopped) return;
        if (reason !== undefined) return this.#options.onExceeded(reason);
        next();
      };
      look().then(goOn, () => goOn());
    }, waitMs);
    timer.unref();
    this.#timers.add(timer);
  }

  /** Files that have no name any more take as much as before, while somebody has them open. */
  async #measureDisk(): Promise<DiskUse | undefined> {
    const { directories, measure = sumDiskUse, pid } = this.#options;
    const [named, namelessBytes] = await Promise.all([measure(directories), sumNamelessBytes(pid)]);
    if (named === undefined || namelessBytes === undefined) return undefined;
    return { bytes: named.bytes + namelessBytes, files: named.files };
  }

  async #lookAtMemory(): Promise<string | undefined> {
    const bytes = await sumMemoryBytes(this.#options.pid);
    const { memoryMb } = this.#options.limits;
    return bytes > memoryMb * MEBIBYTE
      ? `The sandbox took more than its ${memoryMb} MB of memory.`
      : await this.#lookAtHostMemory(memoryMb * MEBIBYTE);
  }

  /**
   * Not all that a sandbox takes is in its processes: files in memory, shared segments, what waits in sockets. The
   * last of this machine's memory is left to the host; one that had no more before is not this sandbox's doing.
   */
  async #lookAtHostMemory(limitBytes: number): Promise<string | undefined> {
    const { totalBytes, freeBytes } = await (this.#options.readHostMemory ?? readHostMemory)();
    this.#freeAtStart ??= freeBytes;
    const isNearlyFull =
      freeBytes < totalBytes / HOST_MEMORY_PART && this.#freeAtStart - freeBytes > limitBytes;
    return isNearlyFull ? "The memory of this machine is nearly full." : undefined;
  }

  async #lookAtProcesses(): Promise<string | undefined> {
    const { pids } = this.#options.limits;
    // The agent is not the sandbox's.
    return (await findTree(this.#options.pid)).length > pids + 1
      ? `The sandbox started more than its ${pids} processes.`
      : undefined;
  }
}

const MEMORY_EVERY_MS = 250;
/** As of small disks. */
const HOST_MEMORY_PART = 20;
const PROCESSES_EVERY_MS = 100;
/** Of as many files as a sandbox may have; du(1) takes seconds for them. */
export const DISK_LOOK_LIMIT_MS = 60_000;
const MEBIBYTE = 1024 * 1024;

/** The proportional share of all processes below and with this one: what is shared counts once. */
export async function sumMemoryBytes(pid: number): Promise<number> {
  const shares = await Promise.all((await findTree(pid)).map(readShareBytes));
  return shares.reduce((sum, bytes) => sum + bytes, 0);
}

async function readShareBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
}

/** See proc_meminfo(5). */
async function readHostMemory(): Promise<HostMemory> {
  const text = await readFile("/proc/meminfo", "utf8");
  const bytesOf = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? 0) * 1024;
  return { totalBytes: bytesOf("MemTotal"), freeBytes: bytesOf("MemAvailable") };
}

/**
 * du(1), which follows no links; what it cannot say is 0. Run by `run`, which answers what it prints, or nothing where
 * that takes too long: then nothing is known.
 */
export async function sumDiskUse(
  directories: readonly string[],
  run: (argv: readonly string[]) => Promise<string | undefined> = runDu,
): Promise<DiskUse | undefined> {
  const [blocks, files] = await Promise.all([
    run(["du", "-skx", "--", ...directories]),
    run(["du", "-sx", "--inodes", "--", ...directories]),
  ]);
  if (blocks === undefined || files === undefined) return undefined;
  return { bytes: sumLines(blocks) * 1024, files: sumLines(files) };
}

async function runDu(argv: readonly string[]): Promise<string | undefined> {
  return await runCounter(argv, DISK_LOOK_LIMIT_MS);
}

function sumLines(text: string): number {
  return text
    .split("\n")
    .map((line) => Number.parseInt(line, 10))
    .reduce((sum, size) => sum + (Number.isNaN(size) ? 0 : size), 0);
}
