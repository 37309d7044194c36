/**
 * Node's zlib as a program may use it: bytes in, bytes out, nothing of the host's. The only file of the
 * programs that imports from Node (docs/decisions/0009-zlib-in-programs.md).
 */
import {
  constants,
  crc32 as crc32Of,
  createDeflateRaw,
  createInflateRaw,
  createZstdCompress,
  createZstdDecompress,
} from "node:zlib";

/** Windows above 8 MiB are refused: several processes fit a cell. */
const ZSTD_WINDOW_LOG = 23;

type Engine = ReturnType<typeof createInflateRaw> | ReturnType<typeof createZstdDecompress>;

/** Compressed data that cannot be decompressed. */
export class CorruptDataError extends Error {}

/** Continues the CRC-32 that gzip and zip keep. */
export function crc32(bytes: Uint8Array, from = 0): number {
  return crc32Of(bytes, from);
}

/** One stream through zlib or zstd. Whoever makes it closes it. */
export class ZlibEngine {
  readonly #engine: Engine;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  /** Bytes handed over so far. */
  #given = 0;
  /** The compressed stream is over: what it has not used belongs to somebody else. */
  isEnded = false;

  private constructor(engine: Engine) {
    this.#engine = engine;
    engine.on("readable", () => this.#wake?.());
    engine.on("end", () => {
      this.isEnded = true;
      this.#wake?.();
    });
    engine.on("error", (error) => {
      this.#failure = error;
      this.#wake?.();
    });
  }

  static inflate(): ZlibEngine {
    return new ZlibEngine(createInflateRaw());
  }

  static deflate(level: number): ZlibEngine {
    return new ZlibEngine(createDeflateRaw({ level, memLevel: 9 }));
  }

  static zstdDecompress(): ZlibEngine {
    const params = { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG };
    return new ZlibEngine(createZstdDecompress({ params }));
  }

  static zstdCompress(level: number): ZlibEngine {
    const params = {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_windowLog]: Math.min(ZSTD_WINDOW_LOG, 21),
      [constants.ZSTD_c_checksumFlag]: 1,
    };
    return new ZlibEngine(createZstdCompress({ params }));
  }

  /** How many of the bytes given were not used, once it is ended. */
  get unused(): number {
    return this.#given - this.#engine.bytesWritten;
  }

  /** Hands bytes over, which must stay as they are until it is done. Fails with a CorruptDataError. */
  async *push(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
    this.#given += bytes.length;
    let isTaken = false;
    this.#engine.write(bytes, () => {
      isTaken = true;
      this.#wake?.();
    });
    yield* this.#drain(() => isTaken);
    if (this.unused > 0) this.isEnded = true;
  }

  /** No more comes. Fails with a CorruptDataError where the stream is not over. */
  async *finish(): AsyncGenerator<Uint8Array, void, void> {
    this.#engine.end();
    yield* this.#drain(() => false);
  }

  close(): void {
    this.#engine.close();
  }

  async *#drain(isTaken: () => boolean): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      if (this.#failure !== undefined) throw new CorruptDataError(this.#failure.message);
      const piece: unknown = this.#engine.read();
      if (piece instanceof Uint8Array) yield piece;
      else if (this.isEnded || isTaken()) return;
      else await this.#wait();
    }
  }

  async #wait(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}
