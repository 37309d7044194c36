// Streams over fds of the kernel, as libuv's: pipes, terminals, sockets.
import { CallError, call } from "../channel.ts";
import { uvNumber, uvNumberOf } from "../errors.ts";
import { encodeUtf8 } from "../native.ts";
import { cancel, request, setRef } from "../requests.ts";
import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { bytesOf, encode } from "./buffer.ts";
import { Handle, soon } from "./handle.ts";
import { StreamWrites } from "./stream-writes.ts";

export { Handle } from "./handle.ts";

const values = staticsOf("stream_wrap");
export const streamState: Int32Array = values["streamBaseState"];
const state = streamState;
const { kReadBytesOrError, kArrayBufferOffset, kBytesWritten, kLastWriteWasAsync, kLastWriteErr } =
  values;
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

/** A write that `start` begins and that is done later: its errno's number, or the request as StreamHandle.write has it. */
export function markWritten(
  req: WriteWrap | null,
  bytes: number,
  start: (wrap: WriteWrap) => number,
): number | WriteWrap {
  state[kBytesWritten] = bytes;
  state[kLastWriteErr] = 0;
  state[kLastWriteWasAsync] = 1;
  const wrap = req ?? new WriteWrap();
  const status = start(wrap);
  return status !== 0 || req !== null ? status : wrap;
}

export class StreamHandle extends Handle {
  fd = -1;
  bytesRead = 0;
  bytesWritten = 0;
  isStreamBase = true;
  reading = false;
  onread?: (buffer?: ArrayBuffer) => unknown;
  /** Gets the data instead of `onread`: an HTTP parser. */
  #consumer: { take(bytes: Uint8Array): void } | undefined;
  #isReading = false;
  #underWay: number | undefined;
  #isBlocking = false;
  #userBuffer: Uint8Array | undefined;
  readonly #writes = new StreamWrites(() => this.fd);

  get consumer(): { take(bytes: Uint8Array): void } | undefined {
    return this.#consumer;
  }

  set consumer(consumer: { take(bytes: Uint8Array): void } | undefined) {
    this.#consumer = consumer;
  }

  get writeQueueSize(): number {
    return this.#writes.size;
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
    this.#isReading = true;
    if (this.#underWay === undefined) this.#readNext();
    return 0;
  }

  readStop(): number {
    this.#isReading = false;
    if (this.#underWay !== undefined) cancel(this.#underWay);
    this.#underWay = undefined;
    return 0;
  }

  /** Nothing is taken from the stream before there is a reader for it: who stops reading loses nothing. */
  #readNext(): void {
    const wait = request(
      "waitReadable",
      [this.fd],
      () => {
        this.#underWay = undefined;
        const bytes = this.#userBuffer?.length ?? READ_BYTES;
        const { error, data } = readNow(this.fd, bytes);
        if (this.#consumer !== undefined && data.length > 0) this.#consume(this.#consumer, data);
        else if (error?.code !== "EAGAIN") AsyncWrap.within(this, () => this.deliver(error, data));
        if (this.#isReading && this.#underWay === undefined && !this.isClosed) this.#readNext();
      },
      this.hasRef(),
    );
    this.#underWay = wait;
  }

  #consume(consumer: { take(bytes: Uint8Array): void }, data: Uint8Array): void {
    this.bytesRead += data.length;
    consumer.take(data);
  }

  /** Gives data, the end (no data) or an error to the reader. */
  protected deliver(error: CallError | undefined, data: Uint8Array): void {
    if (error !== undefined || data.length === 0) {
      this.#isReading = false;
      state[kReadBytesOrError] = error === undefined ? UV_EOF : uvNumber(error.code);
      this.onread?.(undefined);
      return;
    }
    this.bytesRead += data.length;
    state[kReadBytesOrError] = data.length;
    state[kArrayBufferOffset] = data.byteOffset;
    if (this.#userBuffer === undefined) {
      this.onread?.(data.buffer as ArrayBuffer);
      return;
    }
    this.#userBuffer.set(data);
    const next = this.onread?.(undefined);
    if (ArrayBuffer.isView(next)) this.#userBuffer = bytesOf(next);
  }

  writeBuffer(req: WriteWrap | null, data: ArrayBufferView, sent?: unknown): number | WriteWrap {
    return this.write(req, bytesOf(data), sent);
  }

  writeUtf8String(req: WriteWrap | null, text: string, sent?: unknown): number | WriteWrap {
    return this.write(req, encodeUtf8(text), sent);
  }

  writeLatin1String(req: WriteWrap | null, text: string, sent?: unknown): number | WriteWrap {
    return this.write(req, encode(text, "latin1"), sent);
  }

  writeAsciiString(req: WriteWrap | null, text: string, sent?: unknown): number | WriteWrap {
    return this.write(req, encode(text, "latin1"), sent);
  }

  writeUcs2String(req: WriteWrap | null, text: string, sent?: unknown): number | WriteWrap {
    return this.write(req, encode(text, "ucs2"), sent);
  }

  writev(req: WriteWrap | null, chunks: unknown[], allBuffers: boolean): number | WriteWrap {
    return this.write(req, joinChunks(chunks, allBuffers));
  }

  /** The errno's number if it is done; else the request, which is `req` where there was one (then 0). */
  protected write(req: WriteWrap | null, data: Uint8Array, _sent?: unknown): number | WriteWrap {
    state[kBytesWritten] = data.length;
    state[kLastWriteErr] = 0;
    state[kLastWriteWasAsync] = 0;
    if (this.fd < 0) return uvNumber("EBADF");
    let at: number;
    try {
      at = this.#writes.writeNow(data, this.#isBlocking);
    } catch (error) {
      return uvNumberOf(error);
    }
    this.bytesWritten += data.length;
    if (at === data.length) return 0;
    return this.#writeLater(req, data.subarray(at));
  }

  #writeLater(req: WriteWrap | null, data: Uint8Array): number | WriteWrap {
    state[kLastWriteWasAsync] = 1;
    const wrap = req ?? new WriteWrap();
    this.#writes.add(data, (status) => {
      if (wrap.oncomplete === undefined) wrap.writeStatus = status;
      else AsyncWrap.within(wrap, () => wrap.oncomplete?.(status, this, undefined));
    });
    return req === null ? wrap : 0;
  }

  shutdown(req: ShutdownWrap): number {
    if (this.fd < 0) return uvNumber("ENOTCONN");
    this.#writes.add(undefined, (status) => {
      AsyncWrap.within(req, () => req.oncomplete?.(status));
    });
    return 0;
  }

  protected override refChanged(isRef: boolean): void {
    if (this.#underWay !== undefined) setRef(this.#underWay, isRef);
  }

  protected override release(): void {
    this.readStop();
    const canceled = this.#writes.cancelAll();
    const { fd } = this;
    this.fd = -1;
    // As libuv: stdio stays open.
    if (fd > 2) closeQuietly(fd);
    for (const done of canceled) soon(() => done(uvNumber("ECANCELED")));
  }
}

function readNow(fd: number, bytes: number): { error: CallError | undefined; data: Uint8Array } {
  try {
    return { error: undefined, data: call("readNow", fd, bytes).slice() };
  } catch (error) {
    if (error instanceof CallError) return { error, data: new Uint8Array(0) };
    throw error;
  }
}

function closeQuietly(fd: number): void {
  try {
    call("close", fd);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}

function joinChunks(chunks: unknown[], allBuffers: boolean): Uint8Array {
  const parts: Uint8Array[] = [];
  if (allBuffers) for (const chunk of chunks) parts.push(bytesOf(chunk as ArrayBufferView));
  else {
    for (let index = 0; index < chunks.length; index += 2) {
      const chunk = chunks[index];
      const encoding = chunks[index + 1] as string;
      parts.push(
        typeof chunk === "string" ? encode(chunk, encoding) : bytesOf(chunk as ArrayBufferView),
      );
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
