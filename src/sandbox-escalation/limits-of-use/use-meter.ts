/** How often and how long sandboxes run, and what that costs, against limits. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Infinity: no limit. */
export interface UseLimits {
  readonly starts: number;
  readonly minutes: number;
  readonly costUsd: number;
  /** Sandboxes that run at one time. */
  readonly running: number;
}

export interface Use {
  readonly starts: number;
  readonly runMs: number;
  readonly costUsd: number;
}

/** One sandbox that runs. */
export interface Lease {
  readonly costUsdPerHour: number;
  /** Up to when it has been counted. */
  countedToMs: number;
}

export interface UseMeterOptions {
  /** Whose use it is: "the VM", "the server, today". */
  readonly of: string;
  readonly limits: UseLimits;
  readonly now: () => number;
  /** Where the use of a day is kept, so that a new server goes on counting; without it nothing is, for good. */
  readonly file?: string;
  readonly log?: (line: string) => void;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Sums of fractions come out a little below. */
const ROUNDING_USD = 1e-9;
const NO_USE: Use = { starts: 0, runMs: 0, costUsd: 0 };

/** A start counts from when it is tried, and not once it has failed; the time it took, and what that cost, does. */
export class UseMeter {
  readonly #options: UseMeterOptions;
  readonly #leases = new Set<Lease>();
  #day = "";
  #use = NO_USE;

  constructor(options: UseMeterOptions) {
    this.#options = options;
    this.#day = this.#today();
    if (options.file !== undefined) this.#use = this.#load(options.file);
  }

  get use(): Use {
    this.#count();
    return this.#use;
  }

  /** Whose use it is. */
  get of(): string {
    return this.#options.of;
  }

  get limits(): UseLimits {
    return this.#options.limits;
  }

  /** Why another start is refused, if it is. */
  findRefusal(): string | undefined {
    const { limits, of } = this.#options;
    const { starts } = this.use;
    if (this.#leases.size >= limits.running)
      return `${this.#leases.size} sandboxes of ${of} run, the limit`;
    if (starts >= limits.starts)
      return `sandboxes of ${of} were started ${starts} times, the limit`;
    return this.findExceeded();
  }

  /** Why one that runs must stop, if it must. */
  findExceeded(): string | undefined {
    const { limits, of } = this.#options;
    const { runMs, costUsd } = this.use;
    if (runMs >= limits.minutes * MINUTE_MS)
      return `sandboxes of ${of} ran for ${limits.minutes} minutes, the limit`;
    if (costUsd > 0 && costUsd >= limits.costUsd - ROUNDING_USD)
      return `sandboxes of ${of} cost ${limits.costUsd} USD, the limit`;
    return undefined;
  }

  begin(costUsdPerHour: number): Lease {
    this.#count();
    const lease = { costUsdPerHour, countedToMs: this.#options.now() };
    this.#leases.add(lease);
    this.#use = { ...this.#use, starts: this.#use.starts + 1 };
    this.save();
    return lease;
  }

  end(lease: Lease): void {
    this.#count();
    if (this.#leases.delete(lease)) this.save();
  }

  /** The start has failed: it was none. */
  callOff(lease: Lease): void {
    this.#count();
    if (!this.#leases.delete(lease)) return;
    // Begun on another day, it is not in this day's count.
    this.#use = { ...this.#use, starts: Math.max(0, this.#use.starts - 1) };
    this.save();
  }

  /** Never throws: a full disk stops no sandbox. */
  save(): void {
    const { file, log = () => undefined } = this.#options;
    if (file === undefined) return;
    this.#count();
    try {
      writeFileSync(`${file}.new`, JSON.stringify({ day: this.#day, ...this.#use }), {
        mode: 0o600,
      });
      renameSync(`${file}.new`, file);
    } catch (error) {
      log(`the use of sandboxes cannot be kept: ${String(error)}`);
    }
  }

  #count(): void {
    const nowMs = this.#options.now();
    if (this.#options.file !== undefined && this.#today() !== this.#day) {
      this.#day = this.#today();
      this.#use = NO_USE;
    }
    let { runMs, costUsd } = this.#use;
    for (const lease of this.#leases) {
      const ranMs = Math.max(0, nowMs - lease.countedToMs);
      lease.countedToMs = nowMs;
      runMs += ranMs;
      costUsd += (ranMs / HOUR_MS) * lease.costUsdPerHour;
    }
    this.#use = { ...this.#use, runMs, costUsd };
  }

  #today(): string {
    return new Date(this.#options.now()).toISOString().slice(0, 10);
  }

  #load(file: string): Use {
    try {
      const kept: unknown = JSON.parse(readFileSync(file, "utf8"));
      if (!isKeptUse(kept) || kept.day !== this.#day) return NO_USE;
      const { starts, runMs, costUsd } = kept;
      return { starts, runMs, costUsd };
    } catch (error) {
      const isNew = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!isNew) this.#options.log?.(`the use of sandboxes cannot be read: ${String(error)}`);
      return NO_USE;
    }
  }
}

function isKeptUse(value: unknown): value is Use & { readonly day: string } {
  if (typeof value !== "object" || value === null) return false;
  const numbers = ["starts", "runMs", "costUsd"].map((key): unknown => Reflect.get(value, key));
  return numbers.every(Number.isFinite) && typeof Reflect.get(value, "day") === "string";
}
