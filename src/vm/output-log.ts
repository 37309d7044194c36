import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { HostError } from "./host-error.ts";
import type { LogSpace } from "./log-space.ts";

/** How much of each end is kept in memory; what does not fit goes to a file as well. */
const END_BYTES = 64 * 1024;
/** What may wait for the disk; then more output waits. */
const BACKLOG_BYTES = 1024 * 1024;
/** The most that is kept on disk of one stream. */
export const LOG_LIMIT_BYTES = 256 * 1024 * 1024;

/**
 * One stream of a command's output: its head and tail in memory, all of it in a file once it does
 * not fit, up to a limit. Bytes beyond the limit are counted and lost from the file.
 */
export class OutputLog {
  readonly #path: string;
  #head: Uint8Array[] = [];
  #headBytes = 0;
  readonly #tail = new TailBuffer(END_BYTES);
  #totalBytes = 0;
  readonly #space: LogSpace;
  #loggedBytes = 0;
  #isClosed = false;
  /** Not on disk yet. */
  #unwritten: Uint8Array[] = [];
  #unwrittenBytes = 0;
  /** Pending while the disk has not got everything. */
  #writing: Promise<void> | undefined;
  #failure: string | undefined;

  constructor(path: string, space: LogSpace) {
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
    return this.#isOnDisk ? this.#loggedBytes : this.#headBytes;
  }

  /** Why the whole is not on disk; undefined when it is. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** How much disk it takes. */
  get loggedBytes(): number {
    return this.#loggedBytes;
  }

  /** Keeps the bytes, which are its own from now on. A promise where more should wait for the disk. */
  append(bytes: Uint8Array): void | Promise<void> {
    const start = this.#totalBytes;
    this.#totalBytes += bytes.length;
    this.#tail.append(bytes);
    if (this.#headBytes < END_BYTES) {
      this.#head.push(bytes.subarray(0, END_BYTES - this.#headBytes));
      this.#headBytes = Math.min(END_BYTES, this.#headBytes + bytes.length);
    }
    if (this.#totalBytes <= END_BYTES || this.#isClosed) return undefined;
    // Before the first bytes on disk, all there was fits the head.
    const isFirst = !this.#isOnDisk && this.#unwritten.length === 0 && this.#writing === undefined;
    if (isFirst) this.#queue(concatenate(this.#head).subarray(0, start));
    this.#queue(bytes);
    this.#writing ??= this.#write();
    return this.#unwrittenBytes > BACKLOG_BYTES ? this.#writing : undefined;
  }

  /** The first `headBytes` and the last `tailBytes`, or everything when that is less. */
  ends(
    headBytes: number,
    tailBytes: number,
  ): { head: Uint8Array; tail: Uint8Array; omittedBytes: number } {
    const head = concatenate(this.#head);
    if (this.#totalBytes <= headBytes + tailBytes && this.#totalBytes <= END_BYTES) {
      return { head, tail: new Uint8Array(0), omittedBytes: 0 };
    }
    const first = head.subarray(0, Math.min(headBytes, END_BYTES));
    const rest = Math.min(tailBytes, END_BYTES, this.#totalBytes - first.length);
    const tail = this.#tail.last(rest);
    return { head: first, tail, omittedBytes: this.#totalBytes - first.length - tail.length };
  }

  /** A part of the log; short at its end. LOG_GONE once it is closed. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    await this.#writing;
    if (!this.#isOnDisk) return concatenate(this.#head).slice(offset, offset + length);
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

  #queue(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#unwritten.push(bytes);
    this.#unwrittenBytes += bytes.length;
  }

  /** Until nothing is left: what comes while it writes goes with the next. */
  async #write(): Promise<void> {
    while (this.#unwritten.length > 0) {
      const parts = this.#unwritten;
      const bytes = this.#unwrittenBytes;
      this.#unwritten = [];
      await this.#log(concatenate(parts), bytes);
      this.#unwrittenBytes -= bytes;
    }
    this.#writing = undefined;
  }

  async #log(wanted: Uint8Array, bytes: number): Promise<void> {
    if (this.#failure !== undefined || this.#isClosed) return;
    const room = this.#space.take(Math.min(bytes, LOG_LIMIT_BYTES - this.#loggedBytes));
    if (room < bytes) this.#failure = "FULL";
    try {
      if (!this.#isOnDisk) await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await withFile(this.#path, "a", (file) => file.writeFile(wanted.subarray(0, room)));
      this.#loggedBytes += room;
    } catch (error) {
      this.#space.give(room);
      this.#failure = error instanceof Error && "code" in error ? String(error.code) : "unknown";
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

/** Chunks the tail holds before it joins them. */
const CHUNKS_LIMIT = 1024;

/** The last bytes of a stream. */
class TailBuffer {
  readonly #capacity: number;
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  append(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size - (this.#chunks[0]?.length ?? 0) >= this.#capacity) {
      this.#size -= this.#chunks.shift()?.length ?? 0;
    }
    if (this.#chunks.length > CHUNKS_LIMIT) this.#join();
  }

  /** Many small chunks become one of the size that is kept. */
  #join(): void {
    const kept = this.last(this.#capacity);
    this.#chunks = [kept];
    this.#size = kept.length;
  }

  last(bytes: number): Uint8Array {
    const whole = concatenate(this.#chunks);
    return whole.slice(Math.max(0, whole.length - bytes));
  }
}

export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
