/** Finds earlier occurrences of the bytes ahead, for LZMA: chains of places with the same hash of four bytes. */

/** LZMA's longest match. */
export const MAX_LENGTH = 273;
const HASH_BITS = 16;
const HASHED_BYTES = 4;

/** A window over the input: what was passed, back to the dictionary's size, and what is ahead. */
export class MatchFinder {
  readonly bytes: Uint8Array;
  /** The next byte to encode, and the place behind the last byte there is. */
  at = 0;
  end = 0;
  /** The best match at `at`: its length, 0 for none, and how far back it begins. */
  length = 0;
  distance = 0;
  readonly #dictionary: number;
  readonly #depth: number;
  /** By hash, the last place with it, counted from 1; 0 for none, so that memory is only used as it is needed. */
  readonly #heads = new Int32Array(1 << HASH_BITS);
  /** By the low bits of a place, the one before with its hash; counted likewise. */
  readonly #before: Int32Array;
  /** Places up to here are in the chains. */
  #hashed = 0;

  /** `dictionary` is a power of 2, `ahead` at most that. `depth`: how many earlier places are looked at. */
  constructor(dictionary: number, ahead: number, depth: number) {
    this.#dictionary = dictionary;
    this.#depth = depth;
    this.bytes = new Uint8Array(2 * dictionary + ahead + MAX_LENGTH);
    this.#before = new Int32Array(dictionary);
  }

  /** Room behind `end`; after `slide` there is room for `ahead` bytes behind `at`. */
  get room(): number {
    return this.bytes.length - this.end;
  }

  /** Forgets what lies more than the dictionary back, once that is worth it. */
  slide(): void {
    const shift = this.#dictionary;
    if (this.at < 2 * shift) return;
    this.bytes.copyWithin(0, shift, this.end);
    this.at -= shift;
    this.end -= shift;
    this.#hashed -= shift;
    for (const places of [this.#heads, this.#before])
      for (let index = 0; index < places.length; index++)
        places[index] = Math.max(0, (places[index] ?? 0) - shift);
  }

  /** Sets `length` and `distance` for the place `at`. */
  find(): void {
    this.length = 0;
    const { at } = this;
    const most = Math.min(MAX_LENGTH, this.end - at);
    if (most < HASHED_BYTES) return;
    this.#hashTo(at);
    const hash = this.#hash(at);
    const mask = this.#dictionary - 1;
    const first = Math.max(0, at - this.#dictionary + 1);
    let place = (this.#heads[hash] ?? 0) - 1;
    for (let left = this.#depth; place >= first && left > 0 && this.length < most; left--) {
      this.#try(place, most);
      place = (this.#before[place & mask] ?? 0) - 1;
    }
  }

  /** Takes the match with an earlier place where it is the longest so far. */
  #try(place: number, most: number): void {
    const { bytes, at, length } = this;
    if (bytes[place + length] !== bytes[at + length]) return;
    const found = this.lengthAt(place, at, most);
    if (found <= length || found < HASHED_BYTES) return;
    this.length = found;
    this.distance = at - place;
  }

  /** How many bytes are the same at two places. */
  lengthAt(place: number, at: number, most: number): number {
    const { bytes } = this;
    let length = 0;
    while (length < most && bytes[place + length] === bytes[at + length]) length += 1;
    return length;
  }

  #hashTo(stop: number): void {
    const mask = this.#dictionary - 1;
    const last = Math.min(stop, this.end - HASHED_BYTES + 1);
    for (; this.#hashed < last; this.#hashed++) {
      const hash = this.#hash(this.#hashed);
      this.#before[this.#hashed & mask] = this.#heads[hash] ?? 0;
      this.#heads[hash] = this.#hashed + 1;
    }
  }

  #hash(at: number): number {
    const { bytes } = this;
    const word =
      (bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24);
    // Knuth's multiplier.
    return Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
  }
}
