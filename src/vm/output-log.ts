import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { GrowingBytes } from "../streams/index.ts";
import { HostError } from "./host-error.ts";
import type { DiskSpace } from "./log-space.ts";

/** How much of each end is kept in memory; what does not fit goes to a file as well. */
const END_BYTES = 64 * 1024;
/** What may wait for the disk; then more output waits. */
const BACKLOG_BYTES = 1024 * 1024;
/** The most that is kept on disk of one stream. */
export const LOG_LIMIT_BYTES = 256 * 1024 * 1024;
const OWN_LIMIT = `a log may have ${LOG_LIMIT_BYTES / 1024 / 1024} MiB`;

/**
 * One stream of a command's output: its head and tail in memory, all of it in a file once it does
 * not fit, up to a limit. Bytes beyond the limit are counted and lost from the file.
 */
export class OutputLog {
  readonly #path: string;
  readonly #head = new GrowingBytes();
  /** The last bytes, once they are not all in the head. */
  #tail: TailBuffer | undefined;
  #totalBytes = 0;
  readonly #space: DiskSpace;
  #loggedBytes = 0;
  #isClosed = false;
  /** Not on its way to the disk yet, and on its way. */
  readonly #unwritten = new GrowingBytes();
  #writingBytes = 0;
  /** Pending while the disk has not got everything. */
  #writing: Promise<void> | undefined;
  #failure: string | undefined;

  constructor(path: string, space: DiskSpace) {
    this.#path = path;
    this.#space = space;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Resolves when the disk has what has come so far; then `keptBytes` and `failure` speak of all of it. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** How much of it can be read back. */
  get keptBytes(): number {
    return this.#isOnDisk ? this.#loggedBytes : this.#head.length;
  }

  /** Why the whole is not on disk, in words; undefined when it is. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** How much disk it takes. */
  get loggedBytes(): number {
    return this.#loggedBytes;
  }

  /** Keeps a copy of the bytes. A promise where more should wait for the disk. */
  append(bytes: Uint8Array): void | Promise<void> {
    if (bytes.length === 0) return undefined;
    const start = this.#totalBytes;
    this.#totalBytes += bytes.length;
    if (this.#totalBytes > END_BYTES) this.#appendTail(bytes);
    const room = END_BYTES - this.#head.length;
    if (room > 0) this.#head.add(bytes.subarray(0, room));
    const isKept = !this.#isClosed && this.#failure === undefined;
    if (this.#totalBytes <= END_BYTES || !isKept) return undefined;
    // Before the first bytes on disk, all there was fits the head.
    const isFirst = !this.#isOnDisk && this.#writing === undefined;
    if (isFirst) this.#unwritten.add(this.#head.view.subarray(0, start));
    this.#unwritten.add(bytes);
    this.#writing ??= this.#write();
    const backlog = this.#unwritten.length + this.#writingBytes;
    return backlog > BACKLOG_BYTES ? this.#writing : undefined;
  }

  /** The first `headBytes` and the last `tailBytes`, or everything when that is less. */
  ends(
    headBytes: number,
    tailBytes: number,
  ): { head: Uint8Array; tail: Uint8Array; omittedBytes: number } {
    const head = this.#head.view;
    if (this.#totalBytes <= headBytes + tailBytes && this.#totalBytes <= END_BYTES) {
      return { head, tail: new Uint8Array(0), omittedBytes: 0 };
    }
    const first = head.subarray(0, Math.min(headBytes, END_BYTES));
    const rest = Math.min(tailBytes, END_BYTES, this.#totalBytes - first.length);
    const tail = this.#tail?.last(rest) ?? head.slice(head.length - rest);
    return { head: first, tail, omittedBytes: this.#totalBytes - first.length - tail.length };
  }

  /** A part of the log; short at its end. LOG_GONE once it is closed. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    await this.#writing;
    if (!this.#isOnDisk) return this.#head.view.slice(offset, offset + length);
    if (this.#isClosed) throw new HostError("LOG_GONE");
    const buffer = new Uint8Array(Math.max(0, Math.min(length, this.#loggedBytes - offset)));
    return withFile(this.#path, "r", async (file) => {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      return buffer.subarray(0, bytesRead);
    });
  }

  /** Gives the disk back; head and tail stay. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#writing;
    if (!this.#isOnDisk) return;
    this.#space.give(this.#loggedBytes);
    await rm(this.#path, { force: true });
  }

  get #isOnDisk(): boolean {
    return this.#loggedBytes > 0;
  }

  #appendTail(bytes: Uint8Array): void {
    if (this.#tail === undefined) {
      this.#tail = new TailBuffer(END_BYTES);
      this.#tail.append(this.#head.view);
    }
    this.#tail.append(bytes);
  }

  /** Until nothing is left: what comes while it writes goes with the next. */
  async #write(): Promise<void> {
    while (this.#unwritten.length > 0) {
      const bytes = this.#unwritten.take();
      this.#writingBytes = bytes.length;
      await this.#log(bytes);
      this.#writingBytes = 0;
    }
    this.#writing = undefined;
  }

  async #log(wanted: Uint8Array): Promise<void> {
    if (this.#failure !== undefined || this.#isClosed) return;
    const ownRoom = Math.min(wanted.length, LOG_LIMIT_BYTES - this.#loggedBytes);
    const room = this.#space.take(ownRoom);
    if (room < wanted.length) this.#failure = room < ownRoom ? this.#space.lack : OWN_LIMIT;
    try {
      if (!this.#isOnDisk) await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await withFile(this.#path, "a", (file) => file.writeFile(wanted.subarray(0, room)));
      this.#loggedBytes += room;
    } catch (error) {
      this.#space.give(room);
      const code = error instanceof Error && "code" in error ? String(error.code) : "an error";
      this.#failure = `the disk fails with ${code}`;
    }
  }
}

/** A file is open only while it is used: a thousand logs need no thousand descriptors. */
async function withFile<T>(
  path: string,
  flags: string,
  step: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags, 0o600);
  try {
    return await step(file);
  } finally {
    await file.close();
  }
}

/** The last bytes of a stream, in a little more room: so that not every piece moves those before it. */
class TailBuffer {
  readonly #capacity: number;
  readonly #bytes: Uint8Array;
  #length = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#bytes = new Uint8Array(capacity + capacity / 4);
  }

  append(bytes: Uint8Array): void {
    const last = bytes.subarray(Math.max(0, bytes.length - this.#capacity));
    if (this.#length + last.length > this.#bytes.length) {
      const kept = this.#capacity - last.length;
      this.#bytes.copyWithin(0, this.#length - kept, this.#length);
      this.#length = kept;
    }
    this.#bytes.set(last, this.#length);
    this.#length += last.length;
  }

  /** A copy of as many, or of all that there are. */
  last(bytes: number): Uint8Array {
    return this.#bytes.slice(Math.max(0, this.#length - bytes), this.#length);
  }
}
