import { encodeText, isKernelError, type Sys } from "../../kernel/index.ts";

/** Written out when this much has come together. */
const FULL_BYTES = 65_536;
/** The most in one call: the kernel refuses larger ones, see maxFdWriteBytes. */
const WRITE_BYTES = 1 << 20;
/** Pieces below this are copied byte by byte: a call would cost more. */
const SMALL_BYTES = 48;
/** Texts up to this are written unit by unit. */
const SHORT_TEXT = 128;

/**
 * Gathers a program's output and writes it in large pieces. Adding never waits; after adding,
 * whoever adds much calls `flush` when `isFull`.
 */
export class Output {
  readonly #sys: Sys;
  readonly #fd: number;
  #buffer = new Uint8Array(4096);
  #length = 0;

  constructor(sys: Sys, fd: number) {
    this.#sys = sys;
    this.#fd = fd;
  }

  get isFull(): boolean {
    return this.#length >= FULL_BYTES;
  }

  /** Copies the bytes. */
  add(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) this.#grow(needed);
    if (bytes.length < SMALL_BYTES) {
      for (let at = 0; at < bytes.length; at++) this.#buffer[this.#length + at] = bytes[at] ?? 0;
    } else {
      this.#buffer.set(bytes, this.#length);
    }
    this.#length = needed;
  }

  addText(text: string): void {
    if (!this.#addAscii(text)) this.add(encodeText(text));
  }

  addByte(byte: number): void {
    if (this.#length === this.#buffer.length) this.#grow(this.#length + 1);
    this.#buffer[this.#length] = byte;
    this.#length += 1;
  }

  /** Adds, and writes out when full. */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#length === 0 && bytes.length >= FULL_BYTES / 2) {
      await writeAll(this.#sys, this.#fd, bytes);
      return;
    }
    this.add(bytes);
    if (this.isFull) await this.flush();
  }

  async flush(): Promise<void> {
    const length = this.#length;
    if (length === 0) return;
    this.#length = 0;
    await writeAll(this.#sys, this.#fd, this.#buffer.subarray(0, length));
  }

  /** Short ASCII goes straight to where it is gathered. False, and nothing is added, where it is not that. */
  #addAscii(text: string): boolean {
    if (text.length > SHORT_TEXT) return false;
    const needed = this.#length + text.length;
    if (needed > this.#buffer.length) this.#grow(needed);
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 0x7f) return false;
      this.#buffer[this.#length + at] = unit;
    }
    this.#length = needed;
    return true;
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(
      Math.max(needed, Math.min(this.#buffer.length * 4, FULL_BYTES * 2), this.#buffer.length * 2),
    );
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

/** Writes every byte; a caught signal does not cut it. */
export async function writeAll(sys: Sys, fd: number, bytes: Uint8Array): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    try {
      const isOneWrite = done === 0 && bytes.length <= WRITE_BYTES;
      done += await sys.write(fd, isOneWrite ? bytes : bytes.subarray(done, done + WRITE_BYTES));
    } catch (error) {
      if (!isKernelError(error, "EINTR")) throw error;
    }
  }
}
