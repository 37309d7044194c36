/** LZMA's range decoder and its models of bits. */
const FIRST_PROBABILITY = 1024;
const MODEL_BITS = 11;
const MOVE_BITS = 5;
const TOP = 2 ** 24;

export function treeModel(bits: number): Uint16Array {
  return new Uint16Array(1 << bits).fill(FIRST_PROBABILITY);
}

export class RangeDecoder {
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #range = 0;
  #code = 0;

  /** False where the data does not start as it has to. */
  start(bytes: Uint8Array): boolean {
    if (bytes.length < 5 || bytes[0] !== 0) return false;
    this.#bytes = bytes;
    this.#at = 5;
    this.#range = 0xffffffff;
    this.#code =
      (((bytes[1] ?? 0) << 24) |
        ((bytes[2] ?? 0) << 16) |
        ((bytes[3] ?? 0) << 8) |
        (bytes[4] ?? 0)) >>>
      0;
    return true;
  }

  /** More was read than there is. */
  get isExhausted(): boolean {
    return this.#at > this.#bytes.length;
  }

  bit(model: Uint16Array, place: number): 0 | 1 {
    if (this.#range < TOP) this.#normalize();
    const probability = model[place] ?? FIRST_PROBABILITY;
    const bound = (this.#range >>> MODEL_BITS) * probability;
    if (this.#code < bound) {
      this.#range = bound;
      model[place] = probability + ((2048 - probability) >> MOVE_BITS);
      return 0;
    }
    this.#range -= bound;
    this.#code -= bound;
    model[place] = probability - (probability >> MOVE_BITS);
    return 1;
  }

  direct(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0; left--) {
      if (this.#range < TOP) this.#normalize();
      this.#range = this.#range >>> 1;
      const isOne = this.#code >= this.#range;
      if (isOne) this.#code -= this.#range;
      value = value * 2 + (isOne ? 1 : 0);
    }
    return value;
  }

  tree(model: Uint16Array, bits: number): number {
    let symbol = 1;
    for (let left = bits; left > 0; left--) symbol = (symbol << 1) | this.bit(model, symbol);
    return symbol - (1 << bits);
  }

  /** Lowest bit first; `base` is where the tree lies in the model. */
  reverseTree(model: Uint16Array, bits: number, base: number): number {
    let symbol = 1;
    let value = 0;
    for (let at = 0; at < bits; at++) {
      const bit = this.bit(model, base + symbol);
      symbol = (symbol << 1) | bit;
      value |= bit << at;
    }
    return value;
  }

  #normalize(): void {
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | (this.#bytes[this.#at++] ?? 0)) >>> 0;
  }
}

export class LengthModel {
  readonly #choice = treeModel(1);
  readonly #low = Array.from({ length: 16 }, () => treeModel(3));
  readonly #middle = Array.from({ length: 16 }, () => treeModel(3));
  readonly #high = treeModel(8);

  decode(range: RangeDecoder, position: number): number {
    if (range.bit(this.#choice, 0) === 0)
      return 2 + range.tree(this.#low[position] ?? this.#high, 3);
    if (range.bit(this.#choice, 1) === 0)
      return 10 + range.tree(this.#middle[position] ?? this.#high, 3);
    return 18 + range.tree(this.#high, 8);
  }
}
