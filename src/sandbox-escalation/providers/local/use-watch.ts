// What the kernel does not hold a sandbox to is watched: memory where there is no control group, and the disk.
// Over a limit the sandbox is ended; a burst between two looks goes through ("soft").
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { SandboxLimits } from "../../provider.ts";

export interface UseWatchOptions {
  /** The agent's pid on the host. */
  readonly pid: number;
  readonly limits: SandboxLimits;
  readonly watchesMemory: boolean;
  /** Directories whose files count together. */
  readonly directories: readonly string[];
  readonly onExceeded: (reason: string) => void;
}

/** Looks again and again until stopped or a limit is met. */
export class UseWatch {
  readonly #options: UseWatchOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isStopped = false;

  constructor(options: UseWatchOptions) {
    this.#options = options;
    if (options.watchesMemory) this.#repeat(MEMORY_EVERY_MS, () => this.#lookAtMemory());
    this.#repeat(DISK_EVERY_MS, () => this.#lookAtDisk());
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** A look that takes long is repeated more seldom: it never takes more than a tenth of a core. */
  #repeat(everyMs: number, look: () => Promise<string | undefined>, waitMs = everyMs): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const start = performance.now();
      const goOn = (reason?: string) => {
        if (this.#isStopped) return;
        if (reason !== undefined) return this.#options.onExceeded(reason);
        this.#repeat(everyMs, look, Math.max(everyMs, (performance.now() - start) * 9));
      };
      look().then(goOn, () => goOn());
    }, waitMs);
    timer.unref();
    this.#timers.add(timer);
  }

  async #lookAtMemory(): Promise<string | undefined> {
    const bytes = await sumMemoryBytes(this.#options.pid);
    const { memoryMb } = this.#options.limits;
    return bytes > memoryMb * MEBIBYTE
      ? `The sandbox took more than its ${memoryMb} MB of memory.`
      : undefined;
  }

  async #lookAtDisk(): Promise<string | undefined> {
    const kibibytes = await sumDiskKibibytes(this.#options.directories);
    const { diskMb } = this.#options.limits;
    return kibibytes > diskMb * 1024
      ? `The sandbox took more than its ${diskMb} MB of disk. Remove files from its workspace.`
      : undefined;
  }
}

const MEMORY_EVERY_MS = 250;
const DISK_EVERY_MS = 1000;
const DISK_LOOK_LIMIT_MS = 60_000;
const MEBIBYTE = 1024 * 1024;

/** The proportional share of all processes below and with this one: what is shared counts once. */
export async function sumMemoryBytes(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const below = children.split(" ").filter((word) => word !== "");
  const sums = await Promise.all(below.map((child) => sumMemoryBytes(Number(child))));
  const own = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  const kibibytes = Number(/^Pss:\s+(\d+) kB$/m.exec(own)?.[1] ?? 0);
  return sums.reduce((sum, bytes) => sum + bytes, kibibytes * 1024);
}

/** du(1), which follows no links; 0 for what it cannot say. */
async function sumDiskKibibytes(directories: readonly string[]): Promise<number> {
  const argv = ["-skx", "--", ...directories];
  const stdout = await promisify(execFile)("du", argv, { timeout: DISK_LOOK_LIMIT_MS }).then(
    (done) => done.stdout,
    // Files that go while it looks make it fail; it has printed the sums all the same.
    (error: unknown) => (hasOutput(error) ? error.stdout : ""),
  );
  return stdout
    .split("\n")
    .map((line) => Number.parseInt(line, 10))
    .reduce((sum, size) => sum + (Number.isNaN(size) ? 0 : size), 0);
}

function hasOutput(error: unknown): error is { readonly stdout: string } {
  return error instanceof Error && "stdout" in error && typeof error.stdout === "string";
}
