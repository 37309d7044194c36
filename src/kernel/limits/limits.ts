import type { Errno } from "../abi/errno.ts";
import { KernelError } from "../abi/kernel-error.ts";
import { DEFAULT_MEMORY_MB } from "./vm-memory.ts";

interface LimitRow {
  readonly value: number;
  readonly unit: "count" | "bytes" | "ms" | "MiB";
  /** What a call fails with; nothing where less is given instead. */
  readonly errno: Errno | undefined;
  readonly says: string;
}

/**
 * Every number that stops a guest. Names and defaults are agentOS's where it has the limit.
 * docs/limits.md is made from this table.
 */
export const limitTable = {
  maxProcesses: row(256, "count", "EAGAIN", "Processes in the VM, zombies included."),
  maxOpenFds: row(256, "count", "EMFILE", "File descriptors of one process."),
  maxOpenFiles: row(4096, "count", "ENFILE", "Open files in the VM."),
  maxPipes: row(128, "count", "ENFILE", "Pipes and FIFOs open in the VM."),
  maxPtys: row(128, "count", "ENOSPC", "Pseudo-terminals open in the VM."),
  maxSockets: row(256, "count", "ENFILE", "Sockets open in the VM."),
  maxConnections: row(256, "count", "EAGAIN", "Connections in the VM, accepted or not."),
  maxSocketBufferedBytes: row(
    4 << 20,
    "bytes",
    "ENOBUFS",
    "Bytes unread in the VM's sockets; writers of streams wait.",
  ),
  maxSocketDatagramQueueLen: row(
    1024,
    "count",
    undefined,
    "Datagrams unread at one socket; further ones are lost.",
  ),
  maxFilesystemBytes: row(64 << 20, "bytes", "ENOSPC", "Bytes that files written in the VM hold."),
  maxInodeCount: row(16_384, "count", "ENOSPC", "Files, directories and links made in the VM."),
  maxFileBytes: row(2 ** 40, "bytes", "EFBIG", "Size of one file, holes included."),
  maxPreadBytes: row(64 << 20, "bytes", "EINVAL", "Bytes one read may ask for."),
  maxFdWriteBytes: row(64 << 20, "bytes", "EINVAL", "Bytes one write may give."),
  maxReaddirEntries: row(4096, "count", undefined, "Directory entries one call returns at most."),
  maxArgvBytes: row(1 << 20, "bytes", "E2BIG", "Bytes of the arguments of one process."),
  maxEnvBytes: row(1 << 20, "bytes", "E2BIG", "Bytes of the environment of one process."),
  maxHeldArgvBytes: row(32 << 20, "bytes", "E2BIG", "Arguments and environments of all processes."),
  maxMounts: row(256, "count", "ENOSPC", "Mounts in the VM."),
  // As many as maxInodeCount: Node watches each entry of a tree by itself.
  maxWatches: row(16_384, "count", "ENOSPC", "Watched files and directories in the VM."),
  maxWatchEvents: row(16_384, "count", undefined, "Events unread in the VM; then IN_Q_OVERFLOW."),
  maxFileLocks: row(4096, "count", "ENOLCK", "File locks held in the VM."),
  maxTimers: row(4096, "count", "EAGAIN", "Sleeps and timed waits in the VM at one time."),
  v8HeapLimitMb: row(
    DEFAULT_MEMORY_MB,
    "MiB",
    undefined,
    "Heap of one JavaScript process, at most the VM's memory; then SIGABRT.",
  ),
  maxIsolates: row(32, "count", "EAGAIN", "JavaScript processes and threads in the VM."),
  cpuTimeLimitMs: row(
    300_000,
    "ms",
    undefined,
    "CPU time one JavaScript process may save up and use at once; then SIGXCPU.",
  ),
  cpuRefillMsPerSecond: row(
    500,
    "ms",
    undefined,
    "CPU time a JavaScript process gets back for each second, up to cpuTimeLimitMs.",
  ),
  wallClockLimitMs: row(
    2 ** 31 - 1,
    "ms",
    undefined,
    "Time one JavaScript process may run; then SIGALRM.",
  ),
  maxToolCalls: row(64, "count", undefined, "Calls of tools under way; further ones wait."),
  maxToolRequestBytes: row(
    32 << 20,
    "bytes",
    "ENOBUFS",
    "Requests to toolkits that are not on their way yet.",
  ),
  maxHostCommands: row(32, "count", "EAGAIN", "Processes whose command the host runs."),
  maxPendingAsks: row(64, "count", "EACCES", "Permission questions open at one time."),
  cellFramesPerSecond: row(
    50_000,
    "count",
    undefined,
    "Messages that the server takes from the VM in a second; then the VM waits.",
  ),
  cellBytesPerSecond: row(
    2 ** 30,
    "bytes",
    undefined,
    "Bytes that the server takes from the VM in a second; then the VM waits.",
  ),
  maxAuditRecords: row(10_000, "count", undefined, "Permission decisions kept; the oldest leave."),
} as const satisfies Record<string, LimitRow>;

export type LimitName = keyof typeof limitTable;
export type LimitValues = { readonly [N in LimitName]: number };

/**
 * A limit is 80 % full. Said once until it has been below 80 % again; once in all where each process
 * or file has a count of its own.
 */
export interface LimitWarning {
  readonly limit: LimitName;
  readonly observed: number;
  readonly capacity: number;
  readonly fillPercent: number;
}

/** Says so when filled beyond this. */
const WARN_AT = 0.8;

/** The limits of one VM and what is counted against them. */
export class Limits {
  readonly values: LimitValues;
  readonly #used = new Map<LimitName, number>();
  readonly #warned = new Set<LimitName>();
  readonly #warn: (warning: LimitWarning) => void;

  constructor(values: Partial<LimitValues>, warn: (warning: LimitWarning) => void) {
    this.values = resolveLimits(values);
    this.#warn = warn;
  }

  used(limit: LimitName): number {
    return this.#used.get(limit) ?? 0;
  }

  /** Counts `amount` more, or fails with the limit's errno and counts nothing. */
  charge(limit: LimitName, amount = 1): void {
    const observed = this.used(limit) + amount;
    if (observed > this.values[limit]) throw this.exceeded(limit);
    this.#used.set(limit, observed);
    this.observe(limit, observed);
  }

  /** Gives back what was charged. */
  discharge(limit: LimitName, amount = 1): void {
    const observed = this.used(limit) - amount;
    this.#used.set(limit, observed);
    if (observed < this.values[limit] * WARN_AT) this.#warned.delete(limit);
  }

  /** Fails when a single value is over its limit; for what is not a sum. */
  check(limit: LimitName, value: number): void {
    if (value > this.values[limit]) throw this.exceeded(limit);
  }

  /** Warns when a value counted elsewhere comes near its limit. */
  observe(limit: LimitName, observed: number): void {
    const capacity = this.values[limit];
    if (observed < capacity * WARN_AT || this.#warned.has(limit)) return;
    this.#warned.add(limit);
    this.#warn({ limit, observed, capacity, fillPercent: Math.floor((observed / capacity) * 100) });
  }

  exceeded(limit: LimitName): KernelError {
    const reason = `limit ${limit} is ${this.values[limit]}; raise limits.${limit} of the VM`;
    return new KernelError(limitTable[limit].errno ?? "EINVAL", undefined, reason);
  }
}

/** Fills in the defaults. Fails with EINVAL for a name or a value that cannot be. */
export function resolveLimits(values: Partial<LimitValues>): LimitValues {
  const resolved = new Map<string, number>(
    limitNames.map((name) => [name, limitTable[name].value]),
  );
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (!isLimitName(name)) throw new KernelError("EINVAL", name, "there is no such limit");
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new KernelError("EINVAL", name, "a limit is a whole number from 1 up");
    }
    resolved.set(name, value);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of every row of the table
  return Object.fromEntries(resolved) as LimitValues;
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(limitTable, name);
}

/** The limits in the table's order. */
export const limitNames: readonly LimitName[] = Object.keys(limitTable).filter(isLimitName);

function row(
  value: number,
  unit: LimitRow["unit"],
  errno: LimitRow["errno"],
  says: string,
): LimitRow {
  return { value, unit, errno, says };
}
