// internalBinding('zlib'): the streams under zlib's, which the kernel's Node works on.
import { CallError, call } from "../channel.ts";
import { codedError } from "../errors.ts";
import { staticsOf } from "../statics.ts";
import type { Packed } from "../wire/pack.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { CompressionWrite, type WriteOutcome } from "./zlib/compression-write.ts";
import { crc32 } from "./zlib/crc32.ts";

const registry = new FinalizationRegistry<number>((id) => call("zlibClose", id));

abstract class CompressionStream extends AsyncWrap {
  declare onerror: (message: string, errno: number, code: string) => void;
  readonly #className: string;
  readonly #mode: number;
  #id: number | undefined;
  #state: Uint32Array = new Uint32Array(2);
  #callback: (this: unknown) => void = () => undefined;
  #write: CompressionWrite | undefined;
  #isWriting = false;
  #mustClose = false;

  constructor(className: string, mode: number) {
    super("ZLIB");
    this.#className = className;
    this.#mode = mode;
  }

  protected open(args: Packed[], state: Uint32Array, callback: () => void): void {
    this.#state = state;
    this.#callback = callback;
    const answer = asking(() => call("zlibNew", this.#className, this.#mode, args));
    if (answer.thrown !== undefined) throw thrown(answer.thrown);
    const id: number = answer.id;
    this.#id = id;
    this.#write = new CompressionWrite(id);
    registry.register(this, id, this);
  }

  write(...args: unknown[]): void {
    const work = this.#begin(args);
    work.start((outcome) => {
      this.#isWriting = false;
      AsyncWrap.within(this, () => {
        if (this.#take(outcome)) this.#callback.call(this);
      });
      if (this.#mustClose) this.close();
    });
  }

  writeSync(...args: unknown[]): void {
    const work = this.#begin(args);
    const outcome = work.runNow();
    this.#isWriting = false;
    this.#take(outcome);
    if (this.#mustClose) this.close();
  }

  /** write(flush, in, in_off, in_len, out, out_off, out_len) */
  #begin([flush, input, inOff, inLen, output, outOff, outLen]: any[]): CompressionWrite {
    if (this.#write === undefined) throw new Error("write before init, or already finalized");
    if (this.#isWriting) throw new Error("write already in progress");
    if (input !== null && inOff + inLen > byteLength(input))
      throw outOfRange("input buffer is out of bounds");
    if (outOff + outLen > byteLength(output)) throw outOfRange("output buffer is out of bounds");
    this.#isWriting = true;
    this.#write.begin({ flush, input, inOff, inLen, output, outOff, outLen });
    return this.#write;
  }

  /** Whether it went well. */
  #take({ availOut, availIn, failure }: WriteOutcome): boolean {
    if (failure !== undefined) {
      this.onerror(...failure);
      return false;
    }
    this.#state[0] = availOut;
    this.#state[1] = availIn;
    return true;
  }

  params(level: number, strategy: number): void {
    if (this.#className === "Zlib") this.#control("zlibParams", level, strategy);
  }

  reset(): void {
    if (this.#isWriting) throw new Error("Cannot reset zlib stream while a write is in progress");
    this.#write?.forget();
    this.#control("zlibReset");
  }

  #control(name: string, ...args: Packed[]): void {
    const answer = asking(() => call(name, this.#id, ...args));
    if (answer !== undefined) this.onerror(...(answer.failed as [string, number, string]));
  }

  close(): void {
    if (this.#isWriting) {
      this.#mustClose = true;
      return;
    }
    this.#mustClose = false;
    if (this.#id === undefined) return;
    registry.unregister(this);
    call("zlibClose", this.#id);
    this.#id = undefined;
    this.#write = undefined;
    AsyncWrap.destroyed(this);
  }
}

class Zlib extends CompressionStream {
  constructor(mode: number) {
    super("Zlib", mode);
  }

  init(...args: any[]): void {
    const [windowBits, level, memLevel, strategy, state, callback, dictionary, rejects] = args;
    const numbers = [windowBits, level, memLevel, strategy];
    this.open([...numbers, bytes(dictionary), rejects === true], state, callback);
  }
}

abstract class Brotli extends CompressionStream {
  init(parameters: Uint32Array, state: Uint32Array, callback: () => void, dictionary?: any): void {
    this.open([Array.from(parameters), bytes(dictionary)], state, callback);
  }
}

class BrotliEncoder extends Brotli {
  constructor(mode: number) {
    super("BrotliEncoder", mode);
  }
}

class BrotliDecoder extends Brotli {
  constructor(mode: number) {
    super("BrotliDecoder", mode);
  }
}

abstract class Zstd extends CompressionStream {
  init(...args: any[]): void {
    const [parameters, pledged, state, callback, dictionary, rejects] = args;
    const all = [
      Array.from(parameters as Uint32Array),
      pledged,
      bytes(dictionary),
      rejects === true,
    ];
    this.open(all, state, callback);
  }
}

class ZstdCompress extends Zstd {
  constructor() {
    super("ZstdCompress", 0);
  }
}

class ZstdDecompress extends Zstd {
  constructor() {
    super("ZstdDecompress", 0);
  }
}

export const zlib = (): Binding => ({
  ...staticsOf("zlib"),
  Zlib,
  BrotliEncoder,
  BrotliDecoder,
  ZstdCompress,
  ZstdDecompress,
  crc32,
});

const { get: lengthOfArray } = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  "byteLength",
) as { get: () => number };

/** Its true length, whatever it says itself. */
function byteLength(view: ArrayBufferView): number {
  return view instanceof DataView ? view.byteLength : lengthOfArray.call(view);
}

function bytes(view: ArrayBufferView | undefined): Packed {
  if (!ArrayBuffer.isView(view)) return undefined;
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function asking(run: () => any): any {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const words = error.code === "ENOMEM" ? "Too many open streams" : `Failed: ${error.code}`;
    throw codedError(Error, "ERR_ZLIB_INITIALIZATION_FAILED", words);
  }
}

function thrown([name, message, code]: [string, string, string]): Error {
  const kinds: any = { TypeError, RangeError };
  return codedError(kinds[name] ?? Error, code, message);
}

function outOfRange(message: string): Error {
  return codedError(RangeError as ErrorConstructor, "ERR_OUT_OF_RANGE", message);
}
