// A stream of JavaScript's that stands where Node's library wants one of libuv's: node::JSStream.
import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { bytesOf } from "./buffer.ts";
import { markWritten, type ShutdownWrap, StreamHandle, type WriteWrap } from "./stream-wrap.ts";

class JSStream extends StreamHandle {
  declare onreadstart: () => number;
  declare onreadstop: () => number;
  declare onwrite: (req: WriteWrap, chunks: readonly Uint8Array[]) => number;
  declare onshutdown: (req: ShutdownWrap) => number;

  constructor() {
    super("JSSTREAM", false);
  }

  override readStart(): number {
    return this.onreadstart();
  }

  override readStop(): number {
    return this.onreadstop();
  }

  protected override write(req: WriteWrap | null, data: Uint8Array): number | WriteWrap {
    return markWritten(req, data.length, (wrap) => this.onwrite(wrap, [data]));
  }

  override shutdown(req: ShutdownWrap): number {
    return this.onshutdown(req);
  }

  readBuffer(data: ArrayBufferView): void {
    const bytes = bytesOf(data);
    if (bytes.length > 0) this.deliver(undefined, bytes.slice());
  }

  emitEOF(): void {
    this.deliver(undefined, new Uint8Array(0));
  }

  finishWrite(req: WriteWrap, status: number): void {
    AsyncWrap.within(req, () => req.oncomplete?.(status, this, undefined));
  }

  finishShutdown(req: ShutdownWrap, status: number): void {
    AsyncWrap.within(req, () => req.oncomplete?.(status));
  }
}

export const jsStream = (): Binding => ({ ...staticsOf("js_stream"), JSStream });
