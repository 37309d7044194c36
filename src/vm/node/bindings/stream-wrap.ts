// Streams over fds of the kernel, as libuv's: pipes, terminals, sockets.
import { call, CallError } from "../channel.ts";
import { uvNumber, uvNumberOf } from "../errors.ts";
import { encodeUtf8, native } from "../native.ts";
import { cancel, request, setRef } from "../requests.ts";
import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { bytesOf, encode } from "./buffer.ts";

const values = staticsOf("stream_wrap");
const state: Int32Array = values["streamBaseState"];
const { kReadBytesOrError, kArrayBufferOffset, kBytesWritten, kLastWriteWasAsync, kLastWriteErr } = values;
const UV_EOF: number = staticsOf("uv")["UV_EOF"];
const READ_BYTES = 65_536;

export class ShutdownWrap extends AsyncWrap {
  oncomplete?: (status: number) => void;
  constructor() {
    super("SHUTDOWNWRAP");
  }
}

export class WriteWrap extends AsyncWrap {
  oncomplete?: (status: number, handle: unknown, error: unknown) => void;
  writeStatus: number | null = null;
  handle: unknown;
  constructor() {
    super("WRITEWRAP");
  }
}

export const streamWrap = (): Binding => ({
  ...values,
  ShutdownWrap,
  WriteWrap,
  LibuvStreamWrap: StreamHandle,
});

/** Something of libuv's that is open until it is closed: it may keep the process alive. */
export class Handle extends AsyncWrap {
  #isRef = true;
  isClosed = false;

  ref(): void {
    this.#isRef = true;
    this.refChanged(true);
  }

  unref(): void {
    this.#isRef = false;
    this.refChanged(false);
  }

  hasRef(): boolean {
    return this.#isRef && !this.isClosed;
  }

  /** For those with a call under way. */
  protected refChanged(_isRef: boolean): void {}

  close(callback?: () => void): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.release();
    if (callback !== undefined) soon(() => callback.call(this));
  }

  /** Gives back what the handle holds. */
  protected release(): void {}
}

/** Runs from the event loop, in its next turn. */
function soon(run: () => void): void {
  request("nothing", [], run);
}

export class StreamHandle extends Handle {
  fd = -1;
  bytesRead = 0;
  bytesWritten = 0;
  isStreamBase = true;
  reading = false;
  onread?: (buffer?: ArrayBuffer) => unknown;
  #reading: number | undefined;
  #isBlocking = false;
  #userBuffer: Uint8Array | undefined;
  /** Writes that wait for the one under way. */
  readonly #queue: (() => void)[] = [];
  #isBusy = false;

  get writeQueueSize(): number {
    return this.#queue.length;
  }

  setBlocking(isBlocking: boolean): number {
    this.#isBlocking = isBlocking;
    return 0;
  }

  useUserBuffer(buffer: ArrayBufferView): void {
    this.#userBuffer = bytesOf(buffer);
  }

  readStart(): number {
    if (this.fd < 0) return uvNumber("ENOTCONN");
    this.reading = true;
    if (this.#reading === undefined) this.#readNext();
    return 0;
  }

  readStop(): number {
    this.reading = false;
    if (this.#reading !== undefined) cancel(this.#reading);
    this.#reading = undefined;
    return 0;
  }

  #readNext(): void {
    const bytes = this.#userBuffer?.length ?? READ_BYTES;
    this.#reading = request("read", [this.fd, bytes, null], (error, data) => {
      this.#reading = undefined;
      AsyncWrap.within(this, () => this.#deliver(error, data));
      if (this.reading && this.#reading === undefined && !this.isClosed) this.#readNext();
    }, this.hasRef());
  }

  #deliver(error: CallError | undefined, data: Uint8Array): void {
    if (error !== undefined || data.length === 0) {
      this.reading = false;
      state[kReadBytesOrError] = error === undefined ? UV_EOF : uvNumber(error.code);
      this.onread?.(undefined);
      return;
    }
    this.bytesRead += data.length;
    state[kReadBytesOrError] = data.length;
    state[kArrayBufferOffset] = 0;
    if (this.#userBuffer === undefined) {
      this.onread?.(data.buffer as ArrayBuffer);
      return;
    }
    this.#userBuffer.set(data);
    const next = this.onread?.(undefined);
    if (ArrayBuffer.isView(next)) this.#userBuffer = bytesOf(next);
  }

  writeBuffer(req: WriteWrap | null, data: ArrayBufferView): number | WriteWrap {
    return this.#write(req, bytesOf(data));
  }

  writeUtf8String(req: WriteWrap | null, text: string): number | WriteWrap {
    return this.#write(req, encodeUtf8(text));
  }

  writeLatin1String(req: WriteWrap | null, text: string): number | WriteWrap {
    return this.#write(req, encode(text, "latin1"));
  }

  writeAsciiString(req: WriteWrap | null, text: string): number | WriteWrap {
    return this.#write(req, encode(text, "latin1"));
  }

  writeUcs2String(req: WriteWrap | null, text: string): number | WriteWrap {
    return this.#write(req, encode(text, "ucs2"));
  }

  writev(req: WriteWrap | null, chunks: unknown[], allBuffers: boolean): number | WriteWrap {
    return this.#write(req, joinChunks(chunks, allBuffers));
  }

  #write(req: WriteWrap | null, data: Uint8Array): number | WriteWrap {
    state[kBytesWritten] = data.length;
    state[kLastWriteErr] = 0;
    this.bytesWritten += data.length;
    if (this.fd < 0) return this.#refuse(uvNumber("EBADF"));
    if (this.#isBlocking && !this.#isBusy) {
      state[kLastWriteWasAsync] = 0;
      return this.#writeNow(data);
    }
    state[kLastWriteWasAsync] = 1;
    const wrap = req ?? new WriteWrap();
    this.#queue.push(() => this.#writeLater(wrap, data));
    if (!this.#isBusy) this.#nextWrite();
    return wrap;
  }

  #refuse(error: number): number {
    state[kLastWriteWasAsync] = 0;
    state[kLastWriteErr] = error;
    return error;
  }

  #writeNow(data: Uint8Array): number {
    try {
      let at = 0;
      while (at < data.length) at += call("write", this.fd, data.subarray(at, at + 131_072), null);
      return 0;
    } catch (error) {
      return this.#refuse(uvNumberOf(error));
    }
  }

  #nextWrite(): void {
    const next = this.#queue.shift();
    this.#isBusy = next !== undefined;
    next?.();
  }

  #writeLater(wrap: WriteWrap, data: Uint8Array): void {
    request("writeAll", [this.fd, data], (error) => {
      this.#nextWrite();
      const status = error === undefined ? 0 : uvNumber(error.code);
      if (wrap.oncomplete === undefined) {
        wrap.writeStatus = status;
        return;
      }
      AsyncWrap.within(wrap, () => wrap.oncomplete?.(status, this, undefined));
    });
  }

  shutdown(req: ShutdownWrap): number {
    this.#queue.push(() => {
      request("shutdownWrite", [this.fd], (error) => {
        this.#nextWrite();
        AsyncWrap.within(req, () => req.oncomplete?.(error === undefined ? 0 : uvNumber(error.code)));
      });
    });
    if (!this.#isBusy) this.#nextWrite();
    return 0;
  }

  protected override refChanged(isRef: boolean): void {
    if (this.#reading !== undefined) setRef(this.#reading, isRef);
  }

  protected override release(): void {
    this.readStop();
    const { fd } = this;
    this.fd = -1;
    if (fd < 0) return;
    try {
      call("close", fd);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
  }
}

function joinChunks(chunks: unknown[], allBuffers: boolean): Uint8Array {
  const parts: Uint8Array[] = [];
  if (allBuffers) for (const chunk of chunks) parts.push(bytesOf(chunk as ArrayBufferView));
  else {
    for (let index = 0; index < chunks.length; index += 2) {
      const chunk = chunks[index];
      const encoding = chunks[index + 1] as string;
      parts.push(typeof chunk === "string" ? encode(chunk, encoding) : bytesOf(chunk as ArrayBufferView));
    }
  }
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

