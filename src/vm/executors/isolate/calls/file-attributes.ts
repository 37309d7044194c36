// What is known of files, and changing it.
import {
  errnos,
  formatOf,
  isKernelError,
  KernelError,
  type Stat,
  type StatFs,
} from "../../../../kernel/index.ts";
import type { Packed } from "../../../node/wire/pack.ts";
import { type Arguments, int, number, path } from "../arguments.ts";
import type { Calls } from "../guest.ts";

const BLOCK_BYTES = 4096;

export const fileAttributeCalls: Calls = {
  stat: async ({ sys }, args) => packStat(await sys.stat(path(args, 0))),
  /** null where there is nothing. */
  async statIfThere({ sys }, args) {
    try {
      return packStat(await sys.stat(path(args, 0)));
    } catch (error) {
      if (isKernelError(error, "ENOENT") || isKernelError(error, "ENOTDIR")) return null;
      throw error;
    }
  },
  lstat: async ({ sys }, args) => packStat(await sys.lstat(path(args, 0))),
  fstat: async ({ sys }, args) => packStat(await sys.fstat(int(args, 0))),
  statfs: async ({ sys }, args) => packStatFs(await sys.statfs(path(args, 0))),
  /** 0 a file, 1 a directory, an errno's negative number for nothing. */
  async moduleStat({ sys }, args) {
    try {
      return (await sys.stat(path(args, 0))).kind === "directory" ? 1 : 0;
    } catch (error) {
      if (isKernelError(error)) return -(errnos[error.errno][0] ?? 5);
      throw error;
    }
  },
  async access({ sys }, args) {
    await sys.access(path(args, 0), int(args, 1));
    return undefined;
  },
  async chmod({ sys }, args) {
    await sys.chmod(path(args, 0), int(args, 1));
    return undefined;
  },
  async fchmod({ sys }, args) {
    await sys.fchmod(int(args, 0), int(args, 1));
    return undefined;
  },
  async chown({ sys }, args) {
    await sys.chown(path(args, 0), id(args, 1), id(args, 2));
    return undefined;
  },
  async lchown({ sys }, args) {
    await sys.lchown(path(args, 0), id(args, 1), id(args, 2));
    return undefined;
  },
  async fchown({ sys }, args) {
    await sys.fchown(int(args, 0), id(args, 1), id(args, 2));
    return undefined;
  },
  async utimes({ sys }, args) {
    await sys.utimes(path(args, 0), timesOf(args));
    return undefined;
  },
  async lutimes({ sys }, args) {
    await sys.utimes(path(args, 0), timesOf(args), { followsLast: false });
    return undefined;
  },
  async futimes({ sys }, args) {
    const fd = int(args, 0);
    await sys.fstat(fd);
    await sys.utimes(`/proc/self/fd/${fd}`, timesOf(args));
    return undefined;
  },
};

/** The fields of lib's getStatsFromBinding, as the bytes of its Float64Array. */
export function packStat(stat: Stat): Uint8Array {
  const values = new Float64Array(18);
  values[0] = stat.dev;
  values[1] = formatOf(stat.kind) | stat.mode;
  values[2] = stat.nlink;
  values[3] = stat.uid;
  values[4] = stat.gid;
  values[5] = stat.rdev;
  values[6] = BLOCK_BYTES;
  values[7] = stat.ino;
  values[8] = stat.size;
  values[9] = stat.blocks;
  putTime(values, 10, stat.atimeMs);
  putTime(values, 12, stat.mtimeMs);
  putTime(values, 14, stat.ctimeMs);
  // Deviation: file systems of the kernel keep no time of birth; it is the oldest time known.
  putTime(values, 16, Math.min(stat.ctimeMs, stat.mtimeMs));
  return new Uint8Array(values.buffer);
}

function putTime(into: Float64Array, at: number, ms: number): void {
  const seconds = Math.floor(ms / 1000);
  into[at] = seconds;
  into[at + 1] = Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6));
}

/** f_type of statfs(2): tmpfs's, and the others' by their name. */
const types: Readonly<Record<string, number>> = {
  proc: 0x9fa0,
  overlay: 0x794c7630,
  devpts: 0x1cd1,
};
const TMPFS = 0x01021994;

/** The fields of lib's StatFs: type, bsize, frsize, blocks, bfree, bavail, files, ffree. */
function packStatFs(stat: StatFs): Packed {
  const { type, blockSize, totalBytes, freeBytes, totalInodes, freeInodes } = stat;
  const free = Math.floor(freeBytes / blockSize);
  const blocks = Math.floor(totalBytes / blockSize);
  const values = [
    types[type] ?? TMPFS,
    blockSize,
    blockSize,
    blocks,
    free,
    free,
    totalInodes,
    freeInodes,
  ];
  return new Uint8Array(Float64Array.from(values).buffer);
}

/** A user's or group's number; 2³²−1 is -1, which keeps the present one. */
function id(args: Arguments, at: number): number {
  const value = int(args, at);
  return value === 0xffff_ffff ? -1 : value;
}

/** Seconds with fractions; NaN is "now" and Infinity "leave it", as libuv has them. */
function timesOf(args: Arguments): { atimeMs?: number | "now"; mtimeMs?: number | "now" } {
  const times: { atimeMs?: number | "now"; mtimeMs?: number | "now" } = {};
  const atimeMs = timeOf(args, 1);
  const mtimeMs = timeOf(args, 2);
  if (atimeMs !== undefined) times.atimeMs = atimeMs;
  if (mtimeMs !== undefined) times.mtimeMs = mtimeMs;
  return times;
}

function timeOf(args: Arguments, at: number): number | "now" | undefined {
  if (args[at] === null || Number.isNaN(args[at])) return "now";
  const seconds = number(args, at);
  if (seconds === Number.POSITIVE_INFINITY) return undefined;
  if (!Number.isFinite(seconds)) throw new KernelError("EINVAL");
  return seconds * 1000;
}
