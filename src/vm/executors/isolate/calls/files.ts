// Files by path and fd: opening, reading, writing.
import { isKernelError, KernelError, O_CLOEXEC, O_RDONLY } from "../../../../kernel/index.ts";
import { type Arguments, bytes, int, list, maybe, number, path } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";
import { failedIn } from "./failed-in.ts";
import { waitReadable } from "./streams.ts";

type Sys = Guest["sys"];

/** Bytes of one read or write of the kernel. */
const CHUNK_BYTES = 1 << 20;
/** The most of a file that one call brings; larger files are read in parts. */
const WHOLE_LIMIT_BYTES = 192 << 20;

export const fileCalls: Calls = {
  open: ({ sys }, args) =>
    sys.open(path(args, 0), int(args, 1) | O_CLOEXEC, maybe(int, args, 2) ?? 0o666),
  async close({ sys }, args) {
    await sys.close(int(args, 0));
    return undefined;
  },
  async read(guest, args) {
    const { sys, requests } = guest;
    const fd = int(args, 0);
    const length = int(args, 1);
    if (length < 0) throw new KernelError("EINVAL");
    const into = new Uint8Array(Math.min(length, CHUNK_BYTES));
    const offset = maybe(number, args, 2);
    const signal = requests.signalOf(args);
    if (signal !== undefined && offset === undefined) {
      await waitReadable(sys, fd);
      if (signal.aborted) throw new KernelError("EINTR");
    }
    const count =
      offset === undefined ? await sys.read(fd, into) : await sys.pread(fd, into, offset);
    return into.subarray(0, count);
  },
  write: ({ sys }, args) => writeOnce(sys, int(args, 0), bytes(args, 1), maybe(number, args, 2)),
  /** Several buffers as one, from here or at an offset. */
  writeParts: ({ sys }, args) =>
    writeOnce(sys, int(args, 0), joinParts(list(args, 1)), maybe(number, args, 2)),
  async ftruncate({ sys }, args) {
    await sys.ftruncate(int(args, 0), Math.max(0, int(args, 1)));
    return undefined;
  },
  async fsync({ sys }, args) {
    await sys.fsync(int(args, 0));
    return undefined;
  },
  /** All of a file, by its path (with these flags) or from an fd. */
  async readWhole({ sys }, args) {
    if (typeof args[0] === "number") return failedIn("read", readAll(sys, int(args, 0), 0));
    const fd = await failedIn("open", sys.open(path(args, 0), flagsOf(args, 1)));
    try {
      return await failedIn("read", readAll(sys, fd, 0));
    } finally {
      await sys.close(fd);
    }
  },
  /** A small file's bytes, or the fd and size of one that is larger than the limit: [bytes, fd, size]. */
  async readFile({ sys }, args) {
    const limit = number(args, 2);
    const fd = await failedIn("open", sys.open(path(args, 0), flagsOf(args, 1)));
    let isKept = false;
    try {
      const { kind, size } = await failedIn("fstat", sys.fstat(fd));
      const known = kind === "file" ? size : 0;
      isKept = known > limit;
      if (isKept) return [null, fd, known];
      return [await failedIn("read", readAll(sys, fd, known)), -1, 0];
    } finally {
      if (!isKept) await sys.close(fd);
    }
  },
  /** Writes all of it to a path (with these flags and this mode), or to an fd. */
  async writeFile({ sys }, args) {
    const data = bytes(args, 1);
    if (typeof args[0] === "number") return failedIn("write", writeAll(sys, int(args, 0), data));
    const fd = await failedIn("open", sys.open(path(args, 0), flagsOf(args, 2), int(args, 3)));
    try {
      return await failedIn("write", writeAll(sys, fd, data));
    } finally {
      await sys.close(fd);
    }
  },
  /** A file's text; null where there is none. */
  async readText({ sys }, args) {
    const content = await readQuietly(sys, path(args, 0), (fd) => readAll(sys, fd, 0));
    if (content === undefined) return null;
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
  },
  /** The first bytes of a file; none where it cannot be read. */
  async readStart({ sys }, args) {
    const into = new Uint8Array(Math.min(Math.max(0, int(args, 1)), 4096));
    const count = await readQuietly(sys, path(args, 0), (fd) => sys.pread(fd, into, 0));
    return into.subarray(0, count ?? 0);
  },
};

function flagsOf(args: Arguments, at: number): number {
  return (maybe(int, args, at) ?? O_RDONLY) | O_CLOEXEC;
}

/** Undefined where the file cannot be opened or read. */
async function readQuietly<Value>(
  sys: Sys,
  name: string,
  read: (fd: number) => Promise<Value>,
): Promise<Value | undefined> {
  try {
    const fd = await sys.open(name, O_RDONLY | O_CLOEXEC);
    try {
      return await read(fd);
    } finally {
      await sys.close(fd);
    }
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

async function writeOnce(
  sys: Sys,
  fd: number,
  data: Uint8Array,
  offset: number | undefined,
): Promise<number> {
  let at = 0;
  do {
    const part = data.subarray(at, at + CHUNK_BYTES);
    try {
      const count =
        offset === undefined ? await sys.write(fd, part) : await sys.pwrite(fd, part, offset + at);
      at += count;
      if (count < part.length) return at;
    } catch (error) {
      if (at > 0 && isKernelError(error)) return at;
      throw error;
    }
  } while (at < data.length);
  return at;
}

export async function writeAll(sys: Sys, fd: number, data: Uint8Array): Promise<number> {
  let at = 0;
  while (at < data.length) at += await sys.write(fd, data.subarray(at, at + CHUNK_BYTES));
  return at;
}

/** Reads up to the end, or up to `size` where that is known. */
async function readAll(sys: Sys, fd: number, size: number): Promise<Uint8Array> {
  if (size > WHOLE_LIMIT_BYTES) throw new KernelError("ENOMEM");
  let whole = new Uint8Array(size > 0 ? size : 65_536);
  let at = 0;
  for (;;) {
    if (at === whole.length) {
      if (size > 0) return whole;
      if (at >= WHOLE_LIMIT_BYTES) throw new KernelError("ENOMEM");
      const larger = new Uint8Array(at * 2);
      larger.set(whole);
      whole = larger;
    }
    const count = await sys.read(fd, whole.subarray(at, at + CHUNK_BYTES));
    if (count === 0) return whole.subarray(0, at);
    at += count;
  }
}

function joinParts(parts: Arguments): Uint8Array {
  const all = parts.map((_, at) => bytes(parts, at));
  const whole = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
