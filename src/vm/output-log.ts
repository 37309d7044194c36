import { mkdirSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** How much of each end is kept in memory; what does not fit goes to a file as well. */
const END_BYTES = 64 * 1024;
/** The most that is kept on disk of one stream. */
export const LOG_LIMIT_BYTES = 256 * 1024 * 1024;

/**
 * One stream of a command's output: its head and tail in memory, all of it in a file once it does
 * not fit, up to a limit. Bytes beyond the limit are counted and lost from the file.
 */
export class OutputLog {
  /** How much a host has shown that shows the output in turns; kept here for it. */
  takenBytes = 0;
  readonly #path: string;
  #head: Uint8Array[] = [];
  #headBytes = 0;
  readonly #tail = new TailBuffer(END_BYTES);
  #totalBytes = 0;
  #loggedBytes = 0;
  #file: Promise<FileHandle> | undefined;
  #written: Promise<void> = Promise.resolve();
  #failure: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** How much of it can be read back. */
  get keptBytes(): number {
    return this.#file === undefined ? this.#headBytes : this.#loggedBytes;
  }

  /** Why the whole is not on disk; undefined when it is. */
  get failure(): string | undefined {
    return this.#failure;
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
    if (this.#file === undefined && this.#totalBytes <= END_BYTES) return;
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

  /** A part of the log; short at its end. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    await this.#written;
    if (this.#file === undefined) return concatenate(this.#head).slice(offset, offset + length);
    const file = await this.#file;
    const buffer = new Uint8Array(Math.max(0, Math.min(length, this.#loggedBytes - offset)));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    return buffer.subarray(0, bytesRead);
  }

  /** Gives the file back. */
  async close(): Promise<void> {
    await this.#written;
    if (this.#file === undefined) return;
    try {
      await (await this.#file).close();
    } finally {
      await rm(this.#path, { force: true });
    }
  }

  async #log(bytes: Uint8Array, start: number): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      const isFirst = this.#file === undefined;
      const file = await this.#openFile();
      // Everything before these bytes fits the head: it is all there was.
      if (isFirst && start > 0) await this.#write(file, concatenate(this.#head).subarray(0, start));
      await this.#write(file, bytes.subarray(0, Math.max(0, LOG_LIMIT_BYTES - this.#loggedBytes)));
    } catch (error) {
      this.#failure = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    }
  }

  async #write(file: FileHandle, bytes: Uint8Array): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await file.write(
        bytes,
        done,
        bytes.length - done,
        this.#loggedBytes,
      );
      done += bytesWritten;
      this.#loggedBytes += bytesWritten;
    }
  }

  async #openFile(): Promise<FileHandle> {
    this.#file ??= this.#create();
    try {
      return await this.#file;
    } catch (error) {
      this.#file = undefined;
      throw error;
    }
  }

  async #create(): Promise<FileHandle> {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    return open(this.#path, "w+", 0o600);
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
