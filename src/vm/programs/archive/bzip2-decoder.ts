/** bzip2's blocks: Huffman codes of move-to-front places of a Burrows-Wheeler transform. */
import { FormatError } from "./gzip-format.ts";

/** Codes are at most this long. */
const CODE_BITS = 20;
const GROUP_SIZE = 50;

const corrupt = (): FormatError => new FormatError("data integrity (CRC) error in data");
const truncated = (): FormatError => new FormatError("file ends unexpectedly");

/** Bits of bytes that are all there. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #buffer = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** At most 24. Fails at the end. */
  bits(count: number): number {
    while (this.#count < count) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw truncated();
      this.#buffer = ((this.#buffer << 8) | byte) & 0x7fffffff;
      this.#count += 8;
    }
    this.#count -= count;
    const value = (this.#buffer >>> this.#count) & ((1 << count) - 1);
    this.#buffer &= (1 << this.#count) - 1;
    return value;
  }

  bit(): number {
    return this.bits(1);
  }

  uint32(): number {
    return (this.bits(16) * 65_536 + this.bits(16)) >>> 0;
  }

  /** Where it is, in bits. */
  get position(): number {
    return this.#at * 8 - this.#count;
  }

  /** Goes on at a place, in bits. */
  seek(position: number): void {
    this.#at = position >> 3;
    this.#buffer = 0;
    this.#count = 0;
    if ((position & 7) !== 0) this.bits(position & 7);
  }
}

interface Codes {
  readonly limits: Int32Array;
  readonly bases: Int32Array;
  readonly symbols: Uint16Array;
  readonly shortest: number;
}

/** The data of the block at the reader's place, before its runs are spread. */
export function decodeBlock(
  reader: BitReader,
  blockSize: number,
): { readonly data: Uint8Array; readonly crc: number } {
  const crc = reader.uint32();
  if (reader.bit() === 1) throw corrupt();
  const origin = reader.bits(24);
  const used = readUsed(reader);
  const { selectors, tables } = readTables(reader, used.length + 2);
  const { counts, places, length } = readPlaces(reader, { used, selectors, tables, blockSize });
  if (origin >= length) throw corrupt();
  return { data: spreadRuns(untransform(counts, places, length), length, origin), crc };
}

function readUsed(reader: BitReader): Uint8Array {
  const groups = reader.bits(16);
  const used: number[] = [];
  for (let group = 0; group < 16; group++) {
    if ((groups & (0x8000 >> group)) === 0) continue;
    const members = reader.bits(16);
    for (let at = 0; at < 16; at++)
      if ((members & (0x8000 >> at)) !== 0) used.push(group * 16 + at);
  }
  if (used.length === 0) throw corrupt();
  return Uint8Array.from(used);
}

function readTables(
  reader: BitReader,
  symbols: number,
): { readonly selectors: Uint8Array; readonly tables: readonly Codes[] } {
  const tableCount = reader.bits(3);
  const selectorCount = reader.bits(15);
  if (tableCount < 2 || tableCount > 6 || selectorCount === 0) throw corrupt();
  const selectors = new Uint8Array(selectorCount);
  const order = Array.from({ length: tableCount }, (_, at) => at);
  for (let at = 0; at < selectorCount; at++) {
    let place = 0;
    while (reader.bit() === 1) if ((place += 1) >= tableCount) throw corrupt();
    const [chosen = 0] = order.splice(place, 1);
    order.unshift(chosen);
    selectors[at] = chosen;
  }
  const tables: Codes[] = [];
  for (let table = 0; table < tableCount; table++) tables.push(readCodes(reader, symbols));
  return { selectors, tables };
}

function readCodes(reader: BitReader, symbols: number): Codes {
  const lengths = new Uint8Array(symbols);
  let length = reader.bits(5);
  for (let symbol = 0; symbol < symbols; symbol++) {
    for (;;) {
      if (length < 1 || length > CODE_BITS) throw corrupt();
      if (reader.bit() === 0) break;
      length += reader.bit() === 0 ? 1 : -1;
    }
    lengths[symbol] = length;
  }
  const limits = new Int32Array(CODE_BITS + 2).fill(-1);
  const bases = new Int32Array(CODE_BITS + 2);
  const ordered: number[] = [];
  let code = 0;
  for (let bits = 1; bits <= CODE_BITS; bits++) {
    bases[bits] = code - ordered.length;
    for (let symbol = 0; symbol < symbols; symbol++)
      if (lengths[symbol] === bits) {
        ordered.push(symbol);
        code += 1;
      }
    limits[bits] = code - 1;
    code *= 2;
  }
  return { limits, bases, symbols: Uint16Array.from(ordered), shortest: Math.min(...lengths) };
}

interface Coded {
  readonly used: Uint8Array;
  readonly selectors: Uint8Array;
  readonly tables: readonly Codes[];
  readonly blockSize: number;
}

function readPlaces(
  reader: BitReader,
  { used, selectors, tables, blockSize }: Coded,
): { readonly counts: Int32Array; readonly places: Uint32Array; readonly length: number } {
  const front = used.slice();
  const places = new Uint32Array(blockSize);
  const counts = new Int32Array(256);
  const end = used.length + 1;
  let [length, group, left, run, weight] = [0, 0, 0, 0, 1];
  let codes = tables[0];
  const put = (byte: number, count: number): void => {
    if (length + count > blockSize) throw corrupt();
    places.fill(byte, length, length + count);
    length += count;
    counts[byte] = (counts[byte] ?? 0) + count;
  };
  for (;;) {
    if (left === 0) {
      codes = tables[selectors[group++] ?? 255];
      left = GROUP_SIZE;
    }
    if (codes === undefined) throw corrupt();
    left -= 1;
    const symbol = readSymbol(reader, codes);
    if (symbol <= 1) {
      run += weight << symbol;
      weight <<= 1;
      if (run > blockSize) throw corrupt();
      continue;
    }
    if (run > 0) put(front[0] ?? 0, run);
    run = 0;
    weight = 1;
    if (symbol === end) return { counts, places, length };
    const byte = front[symbol - 1] ?? 0;
    front.copyWithin(1, 0, symbol - 1);
    front[0] = byte;
    put(byte, 1);
  }
}

function readSymbol(reader: BitReader, { limits, bases, symbols, shortest }: Codes): number {
  let length = shortest;
  let code = reader.bits(length);
  while (code > (limits[length] ?? -1)) {
    if (length >= CODE_BITS) throw corrupt();
    length += 1;
    code = (code << 1) | reader.bit();
  }
  return symbols[code - (bases[length] ?? 0)] ?? 0;
}

/** Each place's byte in the low 8 bits, the place that follows it above. */
function untransform(counts: Int32Array, places: Uint32Array, length: number): Uint32Array {
  const starts = new Int32Array(256);
  for (let byte = 1; byte < 256; byte++)
    starts[byte] = (starts[byte - 1] ?? 0) + (counts[byte - 1] ?? 0);
  for (let at = 0; at < length; at++) {
    const byte = (places[at] ?? 0) & 255;
    const to = starts[byte] ?? 0;
    starts[byte] = to + 1;
    places[to] = ((places[to] ?? 0) | (at << 8)) >>> 0;
  }
  return places;
}

/** Walks the transform; after four equal bytes comes a count of more. */
function spreadRuns(places: Uint32Array, length: number, origin: number): Uint8Array {
  let made = new Uint8Array(length + 1024);
  let size = 0;
  let run = 0;
  let last = -1;
  let place = (places[origin] ?? 0) >>> 8;
  for (let left = length; left > 0; left--) {
    const entry = places[place] ?? 0;
    place = entry >>> 8;
    const byte = entry & 255;
    const count = run === 4 ? byte : 1;
    const value = run === 4 ? last : byte;
    if (size + count > made.length) {
      const larger = new Uint8Array(made.length * 2 + count);
      larger.set(made);
      made = larger;
    }
    made.fill(value, size, size + count);
    size += count;
    run = run === 4 ? 0 : byte === last ? run + 1 : 1;
    last = run === 0 ? -1 : value;
  }
  return made.subarray(0, size);
}
