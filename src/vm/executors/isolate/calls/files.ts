// Files by path and fd: opening, reading, writing.
import { isKernelError, KernelError, O_CLOEXEC, O_RDONLY } from "../../../../kernel/index.ts";
import { CONTENT_BYTES } from "../../../node/wire/layout.ts";
import { type Arguments, bytes, int, maybe, number, path } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";
import { failedIn } from "./failed-in.ts";
import { waitReadable } from "./streams.ts";

type Sys = Guest["sys"];

/** The most of a file that one call brings; larger files are read in parts. */
const WHOLE_LIMIT_BYTES = 16 << 20;

/** What a read takes while it runs. One without an offset may wait without end, and takes nothing until then. */
export function bytesOfRead(name: string, args: Arguments): number {
  const [, length, offset] = args;
  if (name !== "read" || typeof length !== "number" || typeof offset !== "number") return 0;
  return Math.min(Math.max(0, length), CONTENT_BYTES) || 0;
}

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
    const offset = maybe(number, args, 2);
    const signal = requests.signalOf(args);
    if (signal !== undefined && offset === undefined) {
      await waitReadable(sys, fd);
      if (signal.aborted) throw new KernelError("EINTR");
    }
    const into = roomFor(guest, Math.min(length, CONTENT_BYTES), signal === undefined);
    const count =
      offset === undefined ? await sys.read(fd, into) : await sys.pread(fd, into, offset);
    return into.subarray(0, count);
  },
  write: ({ sys }, args) => writeOnce(sys, int(args, 0), bytes(args, 1), maybe(number, args, 2)),
  async ftruncate({ sys }, args) {
    await sys.ftruncate(int(args, 0), Math.max(0, int(args, 1)));
    return undefined;
  },
  async fsync({ sys }, args) {
    await sys.fsync(int(args, 0));
    return undefined;
  },
  /**
   * A small file's bytes: [bytes, -1, 0]. Of one that is larger than the limit the fd and its size, or,
   * where that is not known, the fd and what was read so far.
   */
  async readFile({ sys }, args) {
    const limit = Math.min(Math.max(0, number(args, 2)), WHOLE_LIMIT_BYTES);
    const fd = await failedIn("open", sys.open(path(args, 0), flagsOf(args, 1)));
    let isKept = false;
    try {
      const { kind, size } = await failedIn("fstat", sys.fstat(fd));
      const known = kind === "file" ? size : 0;
      if (known > limit) {
        isKept = true;
        return [null, fd, known];
      }
      const data = await failedIn("read", readSome(sys, fd, known > 0 ? known : limit));
      isKept = known === 0 && data.length > 0 && data.length >= limit;
      return isKept ? [data, fd, 0] : [data, -1, 0];
    } finally {
      if (!isKept) await sys.close(fd);
    }
  },
  /** All of a file that is not large; EFBIG. */
  async readWhole({ sys }, args) {
    const fd = await failedIn("open", sys.open(path(args, 0), flagsOf(args, 1)));
    try {
      const data = await failedIn("read", readSome(sys, fd, WHOLE_LIMIT_BYTES + 1));
      if (data.length > WHOLE_LIMIT_BYTES) throw new KernelError("EFBIG", "read");
      return data;
    } finally {
      await sys.close(fd);
    }
  },
  /** Writes all of it to a path, with these flags and this mode. */
  async writeFile({ sys }, args) {
    const data = bytes(args, 1);
    const fd = await failedIn("open", sys.open(path(args, 0), flagsOf(args, 2), int(args, 3)));
    try {
      return await failedIn("write", writeAll(sys, fd, data));
    } finally {
      await sys.close(fd);
    }
  },
  /** A file's text; null where there is none. */
  async readText({ sys }, args) {
    const content = await readQuietly(sys, path(args, 0), (fd) =>
      readSome(sys, fd, WHOLE_LIMIT_BYTES),
    );
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

/**
 * Where a read puts its bytes. The answer of a call that is waited for is copied before the next call comes: all of
 * these share one buffer, since collecting large ones takes longer than filling them.
 */
function roomFor({ state }: Guest, bytes: number, isWaitedFor: boolean): Uint8Array {
  if (!isWaitedFor || bytes < SMALL_BYTES) return new Uint8Array(bytes);
  const kept = state.get(ROOM);
  const room = kept instanceof Uint8Array ? kept : new Uint8Array(CONTENT_BYTES);
  state.set(ROOM, room);
  return room.subarray(0, bytes);
}

const ROOM = "room for reads";
/** Reads of less have a buffer each: not every process reads much. */
const SMALL_BYTES = 1 << 16;

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
    const part = data.subarray(at, at + CONTENT_BYTES);
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
  while (at < data.length) at += await sys.write(fd, data.subarray(at, at + CONTENT_BYTES));
  return at;
}

/** Reads up to the end, or so many bytes. */
async function readSome(sys: Sys, fd: number, limit: number): Promise<Uint8Array> {
  let whole = new Uint8Array(Math.min(limit, CONTENT_BYTES));
  let at = 0;
  while (at < limit) {
    if (at === whole.length) {
      const larger = new Uint8Array(Math.min(limit, at * 2));
      larger.set(whole);
      whole = larger;
    }
    const count = await sys.read(fd, whole.subarray(at, at + CONTENT_BYTES));
    if (count === 0) break;
    at += count;
  }
  return whole.subarray(0, at);
}
