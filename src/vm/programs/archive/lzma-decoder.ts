/** LZMA: a range coder, and the models of literals, lengths and distances it decodes with. */

import type { LzmaWindow } from "./lzma-window.ts";
import { LengthModel, RangeDecoder, treeModel } from "./range-decoder.ts";

const STATES = 12;
const POSITIONS = 16;
const FIRST_PROBABILITY = 1024;

function fresh(size: number): Uint16Array {
  return new Uint16Array(size).fill(FIRST_PROBABILITY);
}

export class LzmaDecoder {
  readonly #window: LzmaWindow;
  readonly #range = new RangeDecoder();
  #literalContext = 0;
  #literalPosition = 0;
  #positionMask = 0;
  #state = 0;
  #repeats = [0, 0, 0, 0];
  #literals = fresh(0x300);
  #isMatch = fresh(0);
  #isRepeat = fresh(0);
  #isRepeat0 = fresh(0);
  #isRepeat1 = fresh(0);
  #isRepeat2 = fresh(0);
  #isRepeat0Long = fresh(0);
  #slots: Uint16Array[] = [];
  #special = fresh(0);
  #align = fresh(0);
  #lengths = new LengthModel();
  #repeatLengths = new LengthModel();

  constructor(window: LzmaWindow) {
    this.#window = window;
  }

  /** False where there are no such properties. Resets everything. */
  setProperties(byte: number): boolean {
    if (byte >= 9 * 5 * 5) return false;
    this.#literalContext = byte % 9;
    const rest = Math.floor(byte / 9);
    this.#literalPosition = rest % 5;
    this.#positionMask = (1 << Math.floor(rest / 5)) - 1;
    if (this.#literalContext + this.#literalPosition > 4) return false;
    this.resetState();
    return true;
  }

  resetState(): void {
    this.#state = 0;
    this.#repeats = [0, 0, 0, 0];
    this.#literals = fresh(0x300 << (this.#literalContext + this.#literalPosition));
    this.#isMatch = fresh(STATES * POSITIONS);
    this.#isRepeat = fresh(STATES);
    this.#isRepeat0 = fresh(STATES);
    this.#isRepeat1 = fresh(STATES);
    this.#isRepeat2 = fresh(STATES);
    this.#isRepeat0Long = fresh(STATES * POSITIONS);
    this.#slots = Array.from({ length: 4 }, () => treeModel(6));
    this.#special = fresh(115 + 128);
    this.#align = treeModel(4);
    this.#lengths = new LengthModel();
    this.#repeatLengths = new LengthModel();
  }

  /** Decodes as many bytes into the window; false where the data is corrupt. */
  decode(bytes: Uint8Array, size: number): boolean {
    const window = this.#window;
    if (!this.#range.start(bytes)) return false;
    const stop = window.end + size;
    while (window.end < stop) {
      const position = window.position & this.#positionMask;
      const place = this.#state * POSITIONS + position;
      if (this.#range.bit(this.#isMatch, place) === 0) this.#literal();
      else {
        const length = this.#match(position, place);
        const distance = (this.#repeats[0] ?? 0) + 1;
        if (length < 0 || window.end + length > stop || !window.has(distance)) return false;
        window.copy(distance, length);
      }
      if (this.#range.isExhausted) return false;
    }
    return true;
  }

  #literal(): void {
    const window = this.#window;
    const previous = window.has(1) ? window.at(1) : 0;
    const low = window.position & ((1 << this.#literalPosition) - 1);
    const group = (low << this.#literalContext) + (previous >> (8 - this.#literalContext));
    const base = group * 0x300;
    let symbol = 1;
    if (this.#state >= 7) {
      let match = window.at((this.#repeats[0] ?? 0) + 1);
      while (symbol < 0x100) {
        const matchBit = (match >> 7) & 1;
        match <<= 1;
        const bit = this.#range.bit(this.#literals, base + ((1 + matchBit) << 8) + symbol);
        symbol = (symbol << 1) | bit;
        if (matchBit !== bit) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.#range.bit(this.#literals, base + symbol);
    window.put(symbol & 255);
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
  }

  /** The length of a match whose distance is then the first repeat; below 0 where it is none. */
  #match(position: number, place: number): number {
    const state = this.#state;
    const [r0 = 0, r1 = 0, r2 = 0, r3 = 0] = this.#repeats;
    if (this.#range.bit(this.#isRepeat, state) === 0) {
      const length = this.#lengths.decode(this.#range, position);
      this.#state = state < 7 ? 7 : 10;
      const distance = this.#distance(length);
      this.#repeats = [distance, r0, r1, r2];
      return distance === 0xffffffff ? -1 : length;
    }
    if (this.#range.bit(this.#isRepeat0, state) === 0) {
      if (this.#range.bit(this.#isRepeat0Long, place) === 0) {
        this.#state = state < 7 ? 9 : 11;
        return 1;
      }
    } else if (this.#range.bit(this.#isRepeat1, state) === 0) this.#repeats = [r1, r0, r2, r3];
    else if (this.#range.bit(this.#isRepeat2, state) === 0) this.#repeats = [r2, r0, r1, r3];
    else this.#repeats = [r3, r0, r1, r2];
    this.#state = state < 7 ? 8 : 11;
    return this.#repeatLengths.decode(this.#range, position);
  }

  #distance(length: number): number {
    const slot = this.#range.tree(this.#slots[Math.min(length - 2, 3)] ?? this.#align, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return base + this.#range.reverseTree(this.#special, bits, base - slot);
    const high = this.#range.direct(bits - 4) * 16;
    return base + high + this.#range.reverseTree(this.#align, 4, 0);
  }
}
