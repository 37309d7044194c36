/** The first step of bzip2: four equal bytes are followed by how many more there are. */
import type { ByteReader } from "./byte-reader.ts";

/** bzip2 ends a run here, and what it adds at once fits behind a full block. */
const RUN_LIMIT = 255;
const PIECE_BYTES = 65_536;
const SPARE_BYTES = 19;

interface PackedBlock {
  readonly packed: Uint8Array;
  readonly crc: number;
}

/** Packs what a reader gives; a run that fills a block is the start of the next. */
export class RunPacker {
  readonly #reader: ByteReader;
  readonly #size: number;
  #packed: Uint8Array;
  #length = 0;
  #byte = 0;
  #run = 0;
  #crc = -1;

  constructor(reader: ByteReader, size: number) {
    this.#reader = reader;
    this.#size = size;
    this.#packed = new Uint8Array(size);
  }

  /** The next block; undefined at the end. */
  async next(): Promise<PackedBlock | undefined> {
    for (;;) {
      const piece = await this.#reader.peek(PIECE_BYTES);
      if (piece.length === 0) {
        this.#endRun();
        break;
      }
      const taken = this.#add(piece);
      await this.#reader.skip(taken);
      if (taken < piece.length) break;
    }
    if (this.#length === 0) return undefined;
    const block = { packed: this.#packed.subarray(0, this.#length), crc: ~this.#crc >>> 0 };
    this.#packed = new Uint8Array(this.#size);
    this.#length = 0;
    this.#crc = -1;
    return block;
  }

  /** Answers how many of the bytes were taken. */
  #add(piece: Uint8Array): number {
    for (let at = 0; at < piece.length; at++) {
      if (this.#length >= this.#size - SPARE_BYTES) return at;
      const byte = piece[at] ?? 0;
      if (byte !== this.#byte || this.#run === RUN_LIMIT) {
        this.#endRun();
        this.#byte = byte;
      }
      this.#run += 1;
    }
    return piece.length;
  }

  #endRun(): void {
    const shown = Math.min(this.#run, 4);
    this.#packed.fill(this.#byte, this.#length, this.#length + shown);
    this.#length += shown;
    if (shown === 4) this.#packed[this.#length++] = this.#run - 4;
    for (; this.#run > 0; this.#run -= 1) this.#crc = addToCrc(this.#crc, this.#byte);
  }
}

const table = Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let at = 0; at < 8; at++) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value;
});

/** bzip2's CRC goes from the highest bit down. */
function addToCrc(crc: number, byte: number): number {
  return (crc << 8) ^ (table[((crc >>> 24) ^ byte) & 255] ?? 0);
}

export function blockCrc(bytes: Uint8Array): number {
  let crc = -1;
  for (let at = 0; at < bytes.length; at++) crc = addToCrc(crc, bytes[at] ?? 0);
  return ~crc >>> 0;
}
