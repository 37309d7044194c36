/** LZMA's range encoder: the other side of `range-decoder.ts`, with the same models of bits. */
import { treeModel } from "./range-decoder.ts";

const MODEL_BITS = 11;
const MOVE_BITS = 5;
const TOP = 2 ** 24;
const WORD = 2 ** 32;

/** Writes into one buffer, which its owner makes large enough. */
export class RangeEncoder {
  readonly bytes: Uint8Array;
  #at = 0;
  #low = 0;
  #range = 0;
  /** The last byte is held back, with the 0xff bytes behind it: a carry may change them. */
  #held = 0;
  #heldCount = 0;

  constructor(sizeBytes: number) {
    this.bytes = new Uint8Array(sizeBytes);
  }

  start(): void {
    this.#at = 0;
    this.#low = 0;
    this.#range = 0xffffffff;
    this.#held = 0;
    this.#heldCount = 1;
  }

  /** Bytes that `finish` would have written by now. */
  get size(): number {
    return this.#at + this.#heldCount + 4;
  }

  /** All that was encoded since `start`: a view that the next start overwrites. */
  finish(): Uint8Array {
    for (let left = 5; left > 0; left--) this.#shift();
    return this.bytes.subarray(0, this.#at);
  }

  bit(model: Uint16Array, place: number, bit: number): void {
    const probability = model[place] ?? 0;
    const bound = (this.#range >>> MODEL_BITS) * probability;
    if (bit === 0) {
      this.#range = bound;
      model[place] = probability + ((2048 - probability) >> MOVE_BITS);
    } else {
      this.#low += bound;
      this.#range -= bound;
      model[place] = probability - (probability >> MOVE_BITS);
    }
    if (this.#range < TOP) this.#normalize();
  }

  direct(value: number, bits: number): void {
    for (let at = bits - 1; at >= 0; at--) {
      this.#range >>>= 1;
      if (((value >>> at) & 1) === 1) this.#low += this.#range;
      if (this.#range < TOP) this.#normalize();
    }
  }

  tree(model: Uint16Array, bits: number, value: number): void {
    let symbol = 1;
    for (let at = bits - 1; at >= 0; at--) {
      const bit = (value >>> at) & 1;
      this.bit(model, symbol, bit);
      symbol = (symbol << 1) | bit;
    }
  }

  /** Lowest bit first; `base` is where the tree lies in the model. */
  reverseTree(model: Uint16Array, bits: number, base: number, value: number): void {
    let symbol = 1;
    for (let at = 0; at < bits; at++) {
      const bit = (value >>> at) & 1;
      this.bit(model, base + symbol, bit);
      symbol = (symbol << 1) | bit;
    }
  }

  #normalize(): void {
    this.#range = (this.#range << 8) >>> 0;
    this.#shift();
  }

  #shift(): void {
    const carry = this.#low >= WORD ? 1 : 0;
    if (this.#low < 0xff000000 || carry === 1) {
      let byte = this.#held;
      for (; this.#heldCount > 0; this.#heldCount--) {
        this.bytes[this.#at++] = (byte + carry) & 255;
        byte = 0xff;
      }
      this.#held = Math.floor(this.#low / TOP) & 255;
    }
    this.#heldCount += 1;
    this.#low = (this.#low % TOP) * 256;
  }
}

/** The model of lengths from 2 to 273. */
export class LengthEncoder {
  readonly #choice = treeModel(1);
  readonly #low = Array.from({ length: 16 }, () => treeModel(3));
  readonly #middle = Array.from({ length: 16 }, () => treeModel(3));
  readonly #high = treeModel(8);

  encode(range: RangeEncoder, length: number, position: number): void {
    range.bit(this.#choice, 0, length < 10 ? 0 : 1);
    if (length < 10) {
      range.tree(this.#low[position] ?? this.#high, 3, length - 2);
      return;
    }
    range.bit(this.#choice, 1, length < 18 ? 0 : 1);
    if (length < 18) range.tree(this.#middle[position] ?? this.#high, 3, length - 10);
    else range.tree(this.#high, 8, length - 18);
  }
}
