/** LZMA2: chunks of LZMA, each compressed or, where that does not help, stored. Greedy, one step of looking ahead. */
import type { ByteReader } from "./byte-reader.ts";
import { MAX_LENGTH, MatchFinder } from "./match-finder.ts";
import { treeModel } from "./range-decoder.ts";
import { LengthEncoder, RangeEncoder } from "./range-encoder.ts";

/** Literals depend on the 3 highest bits of the byte before, and matches on 2 bits of the position: xz's defaults. */
const LITERAL_CONTEXT = 3;
const POSITION_MASK = 3;
const PROPERTIES = (2 * 5 + 0) * 9 + LITERAL_CONTEXT;
const STATES = 12;
const POSITIONS = 16;
/** A chunk's bytes when packed, and before, see LZMA2. */
const MAX_PACKED = 65_536;
const MAX_PLAIN = 1 << 20;
/** What the last symbol of a chunk may take. */
const SYMBOL_BYTES = 64;
const FIRST_PROBABILITY = 1024;

function fresh(size: number): Uint16Array {
  return new Uint16Array(size).fill(FIRST_PROBABILITY);
}

export interface Lzma2Level {
  /** A power of 2. */
  readonly dictionaryBytes: number;
  /** How many earlier places are compared. */
  readonly depth: number;
}

/** The models of one run of chunks. */
class Models {
  state = 0;
  repeats: [number, number, number, number] = [0, 0, 0, 0];
  readonly literals = fresh(0x300 << LITERAL_CONTEXT);
  readonly isMatch = fresh(STATES * POSITIONS);
  readonly isRepeat = fresh(STATES);
  readonly isRepeat0 = fresh(STATES);
  readonly isRepeat1 = fresh(STATES);
  readonly isRepeat2 = fresh(STATES);
  readonly isRepeat0Long = fresh(STATES * POSITIONS);
  readonly slots = Array.from({ length: 4 }, () => treeModel(6));
  readonly special = fresh(115 + 128);
  readonly align = treeModel(4);
  readonly lengths = new LengthEncoder();
  readonly repeatLengths = new LengthEncoder();
}

export class Lzma2Encoder {
  readonly #finder: MatchFinder;
  readonly #range = new RangeEncoder(MAX_PACKED + SYMBOL_BYTES);
  readonly #plainBytes: number;
  #models = new Models();
  #position = 0;
  #needs: "dictionary" | "state" | "nothing" = "dictionary";
  /** The longest of the last four distances that fits, and which it is. */
  #repeatLength = 0;
  #repeat = 0;

  constructor({ dictionaryBytes, depth }: Lzma2Level) {
    this.#plainBytes = Math.min(dictionaryBytes, MAX_PLAIN);
    this.#finder = new MatchFinder(dictionaryBytes, this.#plainBytes, depth);
  }

  /** The chunks of all that the reader has, and their end. `onPlain` sees the bytes before. */
  async *encode(
    reader: ByteReader,
    onPlain: (bytes: Uint8Array) => void,
  ): AsyncGenerator<Uint8Array, void, void> {
    const finder = this.#finder;
    for (;;) {
      finder.slide();
      while (finder.room > 0) {
        const piece = await reader.some(finder.room);
        if (piece.length === 0) break;
        onPlain(piece);
        finder.bytes.set(piece, finder.end);
        finder.end += piece.length;
      }
      if (finder.at === finder.end) break;
      yield* this.#chunk();
    }
    yield Uint8Array.of(0);
  }

  *#chunk(): Generator<Uint8Array, void, void> {
    const finder = this.#finder;
    const start = finder.at;
    const stop = Math.min(finder.end, start + this.#plainBytes);
    const range = this.#range;
    range.start();
    while (finder.at < stop && range.size < MAX_PACKED - SYMBOL_BYTES) this.#symbol(stop);
    const packed = range.finish();
    const plain = finder.bytes.subarray(start, finder.at);
    if (packed.length >= plain.length && plain.length <= MAX_PACKED) yield* this.#store(plain);
    else yield* this.#pack(plain.length, packed);
  }

  *#store(plain: Uint8Array): Generator<Uint8Array, void, void> {
    const size = plain.length - 1;
    yield Uint8Array.of(this.#needs === "dictionary" ? 1 : 2, size >> 8, size & 255);
    yield plain.slice();
    this.#models = new Models();
    this.#needs = "state";
  }

  *#pack(plainBytes: number, packed: Uint8Array): Generator<Uint8Array, void, void> {
    const [plain, size] = [plainBytes - 1, packed.length - 1];
    const resets = { dictionary: 0xe0, state: 0xc0, nothing: 0x80 }[this.#needs];
    const sizes = [(plain >> 8) & 255, plain & 255, size >> 8, size & 255];
    const properties = this.#needs === "nothing" ? [] : [PROPERTIES];
    yield Uint8Array.from([resets | (plain >> 16), ...sizes, ...properties]);
    yield packed.slice();
    this.#needs = "nothing";
  }

  /** One literal or match at the finder's place. */
  #symbol(stop: number): void {
    const finder = this.#finder;
    const most = Math.min(MAX_LENGTH, stop - finder.at);
    this.#findRepeat(most);
    finder.find();
    const length = Math.min(finder.length, most);
    const { distance } = finder;
    if (this.#repeatLength >= 2 && isRepeatBetter(this.#repeatLength, length, distance)) {
      this.#encodeRepeat(this.#repeat, this.#repeatLength);
      return;
    }
    if (length >= 4 && !this.#isNextBetter(length, stop)) {
      this.#encodeMatch(length, distance);
      return;
    }
    this.#encodeByte();
  }

  /** Whether a match that begins one byte later is longer: then this byte goes alone. */
  #isNextBetter(length: number, stop: number): boolean {
    const finder = this.#finder;
    if (length >= 64 || finder.at + 1 >= stop) return false;
    const { distance } = finder;
    finder.at += 1;
    finder.find();
    const next = Math.min(finder.length, stop - finder.at);
    const isBetter = next > length + 1 || (next === length + 1 && finder.distance < distance * 64);
    finder.at -= 1;
    return isBetter;
  }

  #findRepeat(most: number): void {
    const finder = this.#finder;
    this.#repeatLength = 0;
    for (let at = 0; at < 4; at++) {
      const place = finder.at - (this.#models.repeats[at] ?? 0) - 1;
      if (place < 0 || this.#position <= (this.#models.repeats[at] ?? 0)) continue;
      const length = finder.lengthAt(place, finder.at, most);
      if (length <= this.#repeatLength) continue;
      this.#repeatLength = length;
      this.#repeat = at;
    }
  }

  #pass(length: number): void {
    this.#finder.at += length;
    this.#position += length;
  }

  #encodeByte(): void {
    const { bytes, at } = this.#finder;
    const models = this.#models;
    const { state } = models;
    const place = state * POSITIONS + (this.#position & POSITION_MASK);
    const byte = bytes[at] ?? 0;
    const hasRepeat = this.#position > models.repeats[0];
    const matched = hasRepeat ? (bytes[at - models.repeats[0] - 1] ?? 0) : 0;
    if (hasRepeat && matched === byte) {
      this.#range.bit(models.isMatch, place, 1);
      this.#range.bit(models.isRepeat, state, 1);
      this.#range.bit(models.isRepeat0, state, 0);
      this.#range.bit(models.isRepeat0Long, place, 0);
      models.state = state < 7 ? 9 : 11;
    } else {
      this.#range.bit(models.isMatch, place, 0);
      this.#encodeLiteral(byte, matched);
      models.state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
    }
    this.#pass(1);
  }

  #encodeLiteral(byte: number, matched: number): void {
    const { bytes, at } = this.#finder;
    const { literals, state } = this.#models;
    const previous = this.#position > 0 ? (bytes[at - 1] ?? 0) : 0;
    const base = (previous >> (8 - LITERAL_CONTEXT)) * 0x300;
    let symbol = 1;
    let isFollowing = state >= 7;
    for (let shift = 7; shift >= 0; shift--) {
      const bit = (byte >> shift) & 1;
      const matchedBit = (matched >> shift) & 1;
      const offset = isFollowing ? (1 + matchedBit) << 8 : 0;
      this.#range.bit(literals, base + offset + symbol, bit);
      isFollowing &&= matchedBit === bit;
      symbol = (symbol << 1) | bit;
    }
  }

  #encodeRepeat(index: number, length: number): void {
    const models = this.#models;
    const { state } = models;
    const [r0, r1, r2, r3] = models.repeats;
    const position = this.#position & POSITION_MASK;
    const place = state * POSITIONS + position;
    this.#range.bit(models.isMatch, place, 1);
    this.#range.bit(models.isRepeat, state, 1);
    this.#range.bit(models.isRepeat0, state, index === 0 ? 0 : 1);
    if (index === 0) this.#range.bit(models.isRepeat0Long, place, 1);
    else {
      this.#range.bit(models.isRepeat1, state, index === 1 ? 0 : 1);
      if (index > 1) this.#range.bit(models.isRepeat2, state, index === 2 ? 0 : 1);
    }
    if (index === 1) models.repeats = [r1, r0, r2, r3];
    if (index === 2) models.repeats = [r2, r0, r1, r3];
    if (index === 3) models.repeats = [r3, r0, r1, r2];
    models.repeatLengths.encode(this.#range, length, position);
    models.state = state < 7 ? 8 : 11;
    this.#pass(length);
  }

  #encodeMatch(length: number, distance: number): void {
    const models = this.#models;
    const { state } = models;
    const [r0, r1, r2] = models.repeats;
    const position = this.#position & POSITION_MASK;
    this.#range.bit(models.isMatch, state * POSITIONS + position, 1);
    this.#range.bit(models.isRepeat, state, 0);
    models.lengths.encode(this.#range, length, position);
    this.#encodeDistance(distance - 1, length);
    models.repeats = [distance - 1, r0, r1, r2];
    models.state = state < 7 ? 7 : 10;
    this.#pass(length);
  }

  #encodeDistance(distance: number, length: number): void {
    const { slots, special, align } = this.#models;
    const high = 31 - Math.clz32(distance);
    const slot = distance < 4 ? distance : high * 2 + ((distance >>> (high - 1)) & 1);
    this.#range.tree(slots[Math.min(length - 2, 3)] ?? align, 6, slot);
    if (slot < 4) return;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << bits;
    const rest = distance - base;
    if (slot < 14) this.#range.reverseTree(special, bits, base - slot, rest);
    else {
      this.#range.direct(rest >>> 4, bits - 4);
      this.#range.reverseTree(align, 4, 0, rest & 15);
    }
  }
}

/** A repeated distance costs fewer bits, the more the farther the other is: as in xz's fast mode. */
function isRepeatBetter(repeat: number, length: number, distance: number): boolean {
  if (repeat + 1 >= length) return true;
  if (repeat + 2 >= length && distance > 512) return true;
  return repeat + 3 >= length && distance > 32_768;
}
