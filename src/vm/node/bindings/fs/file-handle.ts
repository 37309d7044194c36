// An open file as an object: closed by itself once, and readable as a stream.
import { CallError, call } from "../../channel.ts";
import { uvNumber } from "../../errors.ts";
import { request } from "../../requests.ts";
import { staticsOf } from "../../statics.ts";
import { AsyncWrap } from "../async-wrap.ts";
import type { ShutdownWrap } from "../stream-wrap.ts";
import { exceptionOf, promised, syncExceptionOf } from "./operation.ts";

const streams = staticsOf("stream_wrap");
const state: Int32Array = streams["streamBaseState"];
const { kReadBytesOrError, kArrayBufferOffset } = streams;
const UV_EOF: number = staticsOf("uv")["UV_EOF"];
const READ_BYTES = 65_536;
const about = { syscall: "close" };

export class FileHandle extends AsyncWrap {
  #fd: number;
  #offset: number;
  /** What may still be read; negative for all there is. */
  #left: number;
  #closing: Promise<unknown> | undefined;
  #isReading = false;
  #isBusy = false;
  bytesRead = 0;
  bytesWritten = 0;
  declare onread?: (data?: ArrayBuffer) => unknown;

  constructor(fd: number, offset?: unknown, length?: unknown) {
    super("FILEHANDLE");
    this.#fd = fd;
    this.#offset = typeof offset === "number" ? Math.trunc(offset) : -1;
    this.#left = typeof length === "number" ? Math.trunc(length) : -1;
  }

  get fd(): number {
    return this.#fd;
  }

  get isStreamBase(): boolean {
    return true;
  }

  close(): Promise<unknown> {
    this.#closing ??= promised((resolve, fail) => {
      request("close", [this.#fd], (error) => {
        this.#closed();
        if (error === undefined) resolve(undefined);
        else fail(exceptionOf(about, error));
      });
    }, "FILEHANDLECLOSEREQ");
    return this.#closing;
  }

  closeSync(): void {
    if (this.#fd < 0 || this.#closing !== undefined) return;
    const fd = this.#fd;
    this.#closed();
    try {
      call("close", fd);
    } catch (error) {
      throw error instanceof CallError ? syncExceptionOf(about, error) : error;
    }
  }

  /** Leaves the fd open and to somebody else. */
  releaseFD(): number {
    const fd = this.#fd;
    this.#closed();
    return fd;
  }

  #closed(): void {
    this.#fd = -1;
    if (this.#isReading) this.#emit(UV_EOF);
  }

  readStart(): number {
    if (this.#fd < 0 || this.#closing !== undefined) return UV_EOF;
    this.#isReading = true;
    if (this.#isBusy) return 0;
    if (this.#left === 0) this.#emit(UV_EOF);
    else this.#readNext();
    return 0;
  }

  readStop(): number {
    this.#isReading = false;
    return 0;
  }

  #readNext(): void {
    this.#isBusy = true;
    const bytes = this.#left >= 0 ? Math.min(this.#left, READ_BYTES) : READ_BYTES;
    const offset = this.#offset >= 0 ? this.#offset : null;
    request("read", [this.#fd, bytes, offset], (error, data: Uint8Array) => {
      this.#isBusy = false;
      AsyncWrap.within(this, () => this.#took(error, data));
      if (this.#isReading) this.readStart();
    });
  }

  #took(error: CallError | undefined, data: Uint8Array): void {
    if (error !== undefined) return this.#emit(uvNumber(error.code));
    if (data.length === 0) return this.#emit(UV_EOF);
    if (this.#left >= 0) this.#left -= data.length;
    if (this.#offset >= 0) this.#offset += data.length;
    this.bytesRead += data.length;
    this.#emit(data.length, data);
  }

  #emit(count: number, data?: Uint8Array): void {
    if (count < 0) this.#isReading = false;
    state[kReadBytesOrError] = count;
    state[kArrayBufferOffset] = 0;
    this.onread?.(data?.buffer as ArrayBuffer | undefined);
  }

  shutdown(req: ShutdownWrap): number {
    if (this.#fd < 0 || this.#closing !== undefined) return 1;
    this.#closing = promised((resolve) => {
      request("close", [this.#fd], (error) => {
        this.#closed();
        resolve(undefined);
        const status = error === undefined ? 0 : uvNumber(error.code);
        AsyncWrap.within(req, () => req.oncomplete?.(status));
      });
    });
    return 0;
  }

  useUserBuffer(): void {}

  writeBuffer(): number {
    return uvNumber("ENOSYS");
  }

  writev(): number {
    return uvNumber("ENOSYS");
  }

  writeUtf8String(): number {
    return uvNumber("ENOSYS");
  }

  writeLatin1String(): number {
    return uvNumber("ENOSYS");
  }

  writeAsciiString(): number {
    return uvNumber("ENOSYS");
  }

  writeUcs2String(): number {
    return uvNumber("ENOSYS");
  }
}
