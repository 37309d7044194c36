/** xz's container (xz-file-format.txt): streams of blocks of LZMA2. */
import { ByteReader, type ByteStream } from "./byte-reader.ts";
import { FormatError, readUint32, uint32 } from "./gzip-format.ts";
import { Lzma2Decoder } from "./lzma2-decoder.ts";
import { Lzma2Encoder, type Lzma2Level } from "./lzma2-encoder.ts";
import { type CheckName, checkNumbers, checkOf, makeCheck } from "./xz-check.ts";
import { crc32 } from "./zlib-engine.ts";

const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] as const;
const LZMA2_FILTER = 0x21;
/** Bytes of a check, by its kind. */
const checkSizes = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];
const COPIED_BYTES = 65_536;

const truncated = (): FormatError => new FormatError("Unexpected end of input");
const corrupt = (): FormatError => new FormatError("Compressed data is corrupt");

export function isXz(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, at) => bytes[at] === byte);
}

/**
 * All streams, one after the other; what is not in the format goes through as it is where that is
 * asked for. Fails with a FormatError in xz's words.
 */
export async function* unxz(
  stream: ByteStream,
  isCopying = false,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = new ByteReader(stream);
  if (isCopying && !isXz(await reader.peek(6))) {
    for (let piece = await reader.take(COPIED_BYTES); piece.length > 0; ) {
      yield piece;
      piece = await reader.take(COPIED_BYTES);
    }
    return;
  }
  for (let isFirst = true; ; isFirst = false) {
    const head = await reader.take(12);
    if (head.length === 0 && !isFirst) return;
    if (!isXz(head) && (!isFirst || head.length >= 6))
      throw new FormatError("File format not recognized");
    if (head.length < 12)
      throw head.length < 6 ? new FormatError("File format not recognized") : truncated();
    if (readUint32(head, 8) !== crc32(head.subarray(6, 8))) throw corrupt();
    yield* readBlocks(reader, (head[7] ?? 0) & 15);
    for (;;) {
      const padding = await reader.peek(4);
      if (padding.length < 4 || padding.some((byte) => byte !== 0)) break;
      await reader.take(4);
    }
  }
}

async function* readBlocks(
  reader: ByteReader,
  checkNumber: number,
): AsyncGenerator<Uint8Array, void, void> {
  for (;;) {
    const [size = -1] = await need(reader, 1);
    if (size === 0) break;
    const header = await need(reader, (size + 1) * 4 - 1);
    const whole = Uint8Array.from([size, ...header]);
    const end = whole.length - 4;
    if (readUint32(whole, end) !== crc32(whole.subarray(0, end))) throw corrupt();
    const decoder = new Lzma2Decoder(dictionaryOf(whole));
    const start = reader.position;
    // A kind of check that nobody knows is not looked at, as in xz.
    const sum = makeCheck(checkOf(checkNumber) ?? "none");
    for await (const piece of decoder.decode(reader)) {
      sum.update(piece);
      yield piece;
    }
    await need(reader, -(reader.position - start) & 3);
    const check = await need(reader, checkSizes[checkNumber] ?? 0);
    if (sum.finish().some((byte, at) => byte !== check[at])) throw corrupt();
  }
  await skipIndex(reader);
}

async function need(reader: ByteReader, count: number): Promise<Uint8Array> {
  const bytes = await reader.take(count);
  if (bytes.length < count) throw truncated();
  return bytes.slice();
}

/** The dictionary's size of the block's only filter. Fails where there are others. */
function dictionaryOf(header: Uint8Array): number {
  const flags = header[1] ?? 0;
  if ((flags & 3) !== 0) throw new FormatError("Unsupported options");
  let at = 2;
  const skip = (): void => {
    while (((header[at] ?? 0) & 0x80) !== 0) at += 1;
    at += 1;
  };
  if ((flags & 0x40) !== 0) skip();
  if ((flags & 0x80) !== 0) skip();
  if (header[at] !== LZMA2_FILTER) throw new FormatError("Unsupported options");
  const bits = header[at + 2] ?? 0;
  if (bits > 40) throw new FormatError("Unsupported options");
  return bits === 40 ? 0xffffffff : (2 | (bits & 1)) * 2 ** (Math.floor(bits / 2) + 11);
}

/** The index repeats what the blocks said; its records are read past, and the footer. */
async function skipIndex(reader: ByteReader): Promise<void> {
  const start = reader.position - 1;
  const number = async (): Promise<number> => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const [byte = 0] = await need(reader, 1);
      value += (byte & 127) * 2 ** shift;
      if ((byte & 128) === 0) return value;
      if (shift > 56) throw corrupt();
    }
  };
  const records = await number();
  for (let left = records * 2; left > 0; left--) await number();
  await need(reader, -(reader.position - start) & 3);
  await need(reader, 4);
  const footer = await need(reader, 12);
  if (footer[10] !== 0x59 || footer[11] !== 0x5a) throw corrupt();
}

/** How hard it tries, as `xz -0` to `-9`: its own dictionaries up to 4 MiB, which several programs can hold. */
export function xzLevel(level: number): Lzma2Level {
  const bits = [18, 20, 21, 22, 22, 22, 22, 22, 22, 22][level] ?? 22;
  return {
    dictionaryBytes: 1 << bits,
    depth: [4, 8, 16, 24, 32, 48, 64, 96, 128, 192][level] ?? 64,
  };
}

export interface XzOptions {
  readonly level: Lzma2Level;
  readonly check: CheckName;
}

/** A stream of one block; of none where there is no data. */
export async function* xz(
  stream: ByteStream,
  { level, check }: XzOptions,
): AsyncGenerator<Uint8Array, void, void> {
  const flags = [0, checkNumbers[check]];
  yield Uint8Array.from([...MAGIC, ...flags, ...uint32(crc32(Uint8Array.from(flags)))]);
  const reader = new ByteReader(stream);
  if ((await reader.peek(1)).length === 0) {
    yield* indexAndFooter(undefined, flags);
    return;
  }
  // The dictionary's size as the format has it: 2 to a power.
  const dictionary = 2 * (31 - Math.clz32(level.dictionaryBytes) - 12);
  const header = [2, 0, LZMA2_FILTER, 1, dictionary, 0, 0, 0];
  yield Uint8Array.from([...header, ...uint32(crc32(Uint8Array.from(header)))]);
  const sum = makeCheck(check);
  let [packed, length] = [0, 0];
  const encoder = new Lzma2Encoder(level);
  const chunks = encoder.encode(reader, (bytes) => {
    sum.update(bytes);
    length += bytes.length;
  });
  for await (const chunk of chunks) {
    packed += chunk.length;
    yield chunk;
  }
  const found = sum.finish();
  yield Uint8Array.from([...zeros(-packed & 3), ...found]);
  yield* indexAndFooter({ unpadded: header.length + 4 + packed + found.length, length }, flags);
}

function* indexAndFooter(
  block: { readonly unpadded: number; readonly length: number } | undefined,
  flags: readonly number[],
): Generator<Uint8Array, void, void> {
  const records = block === undefined ? [] : [...vli(block.unpadded), ...vli(block.length)];
  const body = [0, block === undefined ? 0 : 1, ...records];
  const padded = [...body, ...zeros(-body.length & 3)];
  yield Uint8Array.from([...padded, ...uint32(crc32(Uint8Array.from(padded)))]);
  const tail = [...uint32((padded.length + 4) / 4 - 1), ...flags];
  yield Uint8Array.from([...uint32(crc32(Uint8Array.from(tail))), ...tail, 0x59, 0x5a]);
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}

function vli(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
