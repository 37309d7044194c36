/** Zstandard frames, RFC 8878, by Node's zlib. */
import type { ByteStream } from "./byte-reader.ts";
import { FormatError } from "./gzip-format.ts";
import { CorruptDataError, ZlibEngine } from "./zlib-engine.ts";

export function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

/** Fails with a FormatError. */
export async function* unzstd(stream: ByteStream): AsyncGenerator<Uint8Array, void, void> {
  yield* through(ZlibEngine.zstdDecompress(), stream);
}

export async function* zstd(
  stream: ByteStream,
  level: number,
): AsyncGenerator<Uint8Array, void, void> {
  yield* through(ZlibEngine.zstdCompress(level), stream);
}

async function* through(
  engine: ZlibEngine,
  stream: ByteStream,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    for (let next = await stream.next(); next.done !== true; next = await stream.next())
      yield* engine.push(next.value);
    yield* engine.finish();
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    throw new FormatError(
      error.message.includes("end of file") ? "premature end" : "unsupported format",
    );
  } finally {
    engine.close();
  }
}
