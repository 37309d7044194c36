// Files by path and fd.
import { formatOf, isKernelError, KernelError, O_RDONLY, type Stat } from "../../../../kernel/index.ts";
import type { Packed } from "../../../node/wire/pack.ts";
import { bytes, int, maybe, number, path, text } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";
import { waitReadable } from "./streams.ts";

const READ_LIMIT_BYTES = 1 << 20;

export const fileCalls: Calls = {
  open: ({ sys }, args) => sys.open(path(args, 0), int(args, 1), maybe(int, args, 2) ?? 0o666),
  async close({ sys }, args) {
    await sys.close(int(args, 0));
    return undefined;
  },
  async read(guest, args) {
    const { sys, requests } = guest;
    const fd = int(args, 0);
    const into = new Uint8Array(Math.min(int(args, 1), READ_LIMIT_BYTES));
    const offset = maybe(number, args, 2);
    const signal = requests.signalOf(args);
    if (signal !== undefined && offset === undefined) {
      await waitReadable(sys, fd);
      if (signal.aborted) throw new KernelError("EINTR");
    }
    const count = offset === undefined ? await sys.read(fd, into) : await sys.pread(fd, into, offset);
    return into.subarray(0, count);
  },
  write({ sys }, args) {
    const offset = maybe(number, args, 2);
    return offset === undefined
      ? sys.write(int(args, 0), bytes(args, 1))
      : sys.pwrite(int(args, 0), bytes(args, 1), offset);
  },
  writeText: ({ sys }, args) => sys.write(int(args, 0), new TextEncoder().encode(text(args, 1))),
  stat: async ({ sys }, args) => packStat(await sys.stat(path(args, 0))),
  lstat: async ({ sys }, args) => packStat(await sys.lstat(path(args, 0))),
  fstat: async ({ sys }, args) => packStat(await sys.fstat(int(args, 0))),
  /** 0 a file, 1 a directory, negative for nothing. */
  async moduleStat({ sys }, args) {
    try {
      return (await sys.stat(path(args, 0))).kind === "directory" ? 1 : 0;
    } catch (error) {
      if (isKernelError(error)) return -2;
      throw error;
    }
  },
  async readFileText(guest, args) {
    if (typeof args[0] === "number") return decode(await readAll(guest, args[0]));
    const fd = await guest.sys.open(path(args, 0), O_RDONLY);
    try {
      return decode(await readAll(guest, fd));
    } finally {
      await guest.sys.close(fd);
    }
  },
  /** A file's text; null where there is none. */
  async readText(guest, args) {
    try {
      const fd = await guest.sys.open(path(args, 0), O_RDONLY);
      const content = await readAll(guest, fd).finally(() => guest.sys.close(fd));
      return decode(content);
    } catch (error) {
      if (isKernelError(error)) return null;
      throw error;
    }
  },
};

function decode(content: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
}

async function readAll({ sys }: Guest, fd: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const part = new Uint8Array(READ_LIMIT_BYTES);
    const count = await sys.read(fd, part);
    if (count === 0) break;
    parts.push(part.subarray(0, count));
    total += count;
  }
  const whole = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The fields of lib's getStatsFromBinding, as its Float64Array. */
export function packStat(stat: Stat): Packed {
  const { kind, mode, nlink, uid, gid, rdev, ino, size, blocks, dev } = stat;
  const values = [dev, formatOf(kind) | mode, nlink, uid, gid, rdev, 4096, ino, size, blocks];
  for (const ms of [stat.atimeMs, stat.mtimeMs, stat.ctimeMs, stat.ctimeMs]) {
    const seconds = Math.floor(ms / 1000);
    values.push(seconds, Math.round((ms - seconds * 1000) * 1e6));
  }
  return new Uint8Array(Float64Array.from(values).buffer);
}
