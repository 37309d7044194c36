/** bzip2's files: streams of blocks. */
import type { Sys } from "../../../kernel/index.ts";
import { BitWriter } from "./bit-writer.ts";
import { ByteReader, type ByteStream } from "./byte-reader.ts";
import { BitReader, decodeBlock } from "./bzip2-decoder.ts";
import { encodeBlock } from "./bzip2-encoder.ts";
import { blockCrc, RunPacker } from "./bzip2-runs.ts";
import { FormatError } from "./gzip-format.ts";

const BLOCK_MAGIC = [0x314159, 0x265359] as const;
const END_MAGIC = [0x177245, 0x385090] as const;
const UNIT_BYTES = 100_000;
/** No block of 900,000 bytes takes more, compressed. */
const BLOCK_BYTES = 1_300_000;

const notBzip2 = (): FormatError => new FormatError("is not a bzip2 file.");
const corrupt = (): FormatError => new FormatError("data integrity (CRC) error in data");
const truncated = (): FormatError => new FormatError("file ends unexpectedly");

export function isBzip2(bytes: Uint8Array): boolean {
  return bytes[0] === 0x42 && bytes[1] === 0x5a && bytes[2] === 0x68;
}

/** All streams, one after the other. Fails with a FormatError. */
export async function* bunzip2(
  sys: Sys,
  stream: ByteStream,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = new ByteReader(stream);
  for (let isFirst = true; ; isFirst = false) {
    const head = (await reader.take(4)).slice();
    if (head.length === 0 && !isFirst) return;
    const level = (head[3] ?? 0) - 0x30;
    if (!isBzip2(head) || level < 1 || level > 9) {
      if (isFirst) throw head.length === 0 ? truncated() : notBzip2();
      throw new FormatError("trailing garbage after EOF ignored", 2);
    }
    yield* readBlocks(sys, reader, level * UNIT_BYTES);
  }
}

/** Blocks follow each other bit by bit: bytes of the next are kept with those of the last. */
async function* readBlocks(
  sys: Sys,
  reader: ByteReader,
  blockSize: number,
): AsyncGenerator<Uint8Array, void, void> {
  let bit = 0;
  let combined = 0;
  for (;;) {
    const bytes = await reader.peek(BLOCK_BYTES);
    const bits = new BitReader(bytes);
    bits.seek(bit);
    const [high, low] = [bits.bits(24), bits.bits(24)];
    if (high === END_MAGIC[0] && low === END_MAGIC[1]) {
      if (bits.uint32() !== combined) throw corrupt();
      await reader.skip((bits.position + 7) >> 3);
      return;
    }
    if (high !== BLOCK_MAGIC[0] || low !== BLOCK_MAGIC[1]) throw corrupt();
    const { data, crc } = decodeBlock(bits, blockSize);
    if (blockCrc(data) !== crc) throw corrupt();
    combined = (((combined << 1) | (combined >>> 31)) ^ crc) >>> 0;
    bit = bits.position & 7;
    await reader.skip(bits.position >> 3);
    yield data;
    await sys.schedYield();
  }
}

export async function* bzip2(
  sys: Sys,
  stream: ByteStream,
  level: number,
): AsyncGenerator<Uint8Array, void, void> {
  const packer = new RunPacker(new ByteReader(stream), level * UNIT_BYTES);
  const writer = new BitWriter();
  for (const byte of [0x42, 0x5a, 0x68, 0x30 + level]) writer.bits(byte, 8);
  let combined = 0;
  for (;;) {
    const block = await packer.next();
    if (block === undefined) break;
    const { crc } = block;
    combined = (((combined << 1) | (combined >>> 31)) ^ crc) >>> 0;
    for (const magic of BLOCK_MAGIC) writer.bits(magic, 24);
    writer.uint32(crc);
    await encodeBlock(sys, writer, block.packed);
    yield writer.take();
  }
  for (const magic of END_MAGIC) writer.bits(magic, 24);
  writer.uint32(combined);
  writer.pad();
  yield writer.take();
}
