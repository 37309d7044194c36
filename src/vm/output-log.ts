import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { HostError } from "./host-error.ts";
import type { LogSpace } from "./log-space.ts";

/** How much of each end is kept in memory; what does not fit goes to a file as well. */
const END_BYTES = 64 * 1024;
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
  #written: Promise<void> = Promise.resolve();
  #failure: string | undefined;

  constructor(path: string, space: LogSpace) {
    this.#path = path;
    this.#space = space;
  }

  get totalBytes(): number {
    return this.#totalBytes;
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

  /** Resolves when the bytes are kept: then more may come. */
  async append(bytes: Uint8Array): Promise<void> {
    const copy = bytes.slice();
    const start = this.#totalBytes;
    this.#totalBytes += copy.length;
    this.#tail.append(copy);
    if (this.#headBytes < END_BYTES) {
      this.#head.push(copy.subarray(0, END_BYTES - this.#headBytes));
      this.#headBytes = Math.min(END_BYTES, this.#headBytes + copy.length);
    }
    if (this.#totalBytes <= END_BYTES || this.#isClosed) return;
    this.#written = this.#written.then(() => this.#log(copy, start));
    await this.#written;
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
    await this.#written;
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
    await this.#written;
    if (!this.#isOnDisk) return;
    this.#space.give(this.#loggedBytes);
    await rm(this.#path, { force: true });
  }

  get #isOnDisk(): boolean {
    return this.#loggedBytes > 0;
  }

  async #log(bytes: Uint8Array, start: number): Promise<void> {
    if (this.#failure !== undefined || this.#isClosed) return;
    // Before the first bytes on disk, all there was fits the head.
    const missed = this.#isOnDisk ? [] : [concatenate(this.#head).subarray(0, start)];
    const wanted = concatenate([...missed, bytes]);
    const room = this.#space.take(Math.min(wanted.length, LOG_LIMIT_BYTES - this.#loggedBytes));
    if (room < wanted.length) this.#failure = "FULL";
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
