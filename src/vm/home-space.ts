import { execFile } from "node:child_process";
import { statfsSync } from "node:fs";
import { promisify } from "node:util";
import type { DiskSpace } from "./log-space.ts";

export interface HomeSpaceOptions {
  /** What all files below it may take together is limited. */
  readonly directory: string;
  readonly limitMb: number;
  /** What the limit is for: "the home (homeLimitMb)". */
  readonly limit: string;
  readonly log?: (line: string) => void;
}

const MIB = 1024 * 1024;
/** What is left of a disk to others: a gigabyte, or a twentieth of a small one. */
const RESERVE_BYTES = 1024 * MIB;
const RESERVE_SHARE = 0.05;
/** How old a count of the files may be; what was given since then is known. */
const COUNT_MS = 60_000;
const COUNT_LIMIT_MS = 120_000;

const run = promisify(execFile);

/**
 * Disk that the home of a server may take: its logs, caches, records and sandboxes together, whoever wrote them. Never the
 * last of the disk. Files are counted by du(1) now and then; where there is none, what was given is.
 */
export class HomeSpace implements DiskSpace {
  readonly #options: HomeSpaceOptions;
  #countedBytes = 0;
  #givenBytes = 0;
  #countedAtMs = Number.NEGATIVE_INFINITY;
  #counting: Promise<void> | undefined;
  #lack = "";

  constructor(options: HomeSpaceOptions) {
    this.#options = options;
  }

  /** Counts what is there. */
  async count(): Promise<void> {
    this.#counting ??= this.#count().finally(() => {
      this.#counting = undefined;
    });
    await this.#counting;
  }

  get lack(): string {
    return this.#lack;
  }

  /** How many bytes may be written now. */
  room(): number {
    const { directory, limitMb, limit } = this.#options;
    const left = limitMb * MIB - this.#countedBytes - this.#givenBytes;
    const free = freeBytes(directory);
    this.#lack =
      left < free
        ? `${limit} may have ${limitMb} MiB`
        : "the last of the disk is kept free (1 GiB, or 5 % of a small one)";
    return Math.max(0, Math.min(left, free));
  }

  take(bytes: number): number {
    if (performance.now() - this.#countedAtMs > COUNT_MS) this.#countSoon();
    const granted = Math.min(bytes, this.room());
    this.#givenBytes += granted;
    return granted;
  }

  give(bytes: number): void {
    this.#givenBytes -= bytes;
  }

  #countSoon(): void {
    this.count().catch((error: unknown) => this.#options.log?.(String(error)));
  }

  async #count(): Promise<void> {
    this.#countedAtMs = performance.now();
    const before = this.#givenBytes;
    const counted = await countBytes(this.#options.directory);
    if (counted === undefined) return;
    this.#countedBytes = counted;
    this.#givenBytes -= before;
  }
}

/** Undefined where it cannot be counted. What is not ours to read is left out. */
async function countBytes(directory: string): Promise<number | undefined> {
  const options = { timeout: COUNT_LIMIT_MS, maxBuffer: 64 * MIB };
  const { stdout } = await run("du", ["-skx", directory], options).catch(outputOf);
  const [kib] = stdout.split("\t", 1);
  return /^\d+$/.test(kib ?? "") ? Number(kib) * 1024 : undefined;
}

function outputOf(error: unknown): { readonly stdout: string } {
  const stdout: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "stdout") : undefined;
  return { stdout: typeof stdout === "string" ? stdout : "" };
}

/** What may be written before only the reserve is left; without end where the host does not say. */
function freeBytes(directory: string): number {
  try {
    const { bavail, bsize, blocks } = statfsSync(directory);
    return bavail * bsize - Math.min(RESERVE_BYTES, blocks * bsize * RESERVE_SHARE);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
