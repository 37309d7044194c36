import { BlockDigest, readWords, wordBytes } from "./digest.ts";
import { firstPrimes, rootBits } from "./primes.ts";

const constants = Int32Array.from(firstPrimes(64), (prime) => Number(rootBits(prime, 3) >> 32n));
const start256 = Int32Array.from(firstPrimes(8), (prime) => Number(rootBits(prime, 2) >> 32n));
const start224 = Int32Array.from(firstPrimes(16).slice(8), (prime) =>
  Number(rootBits(prime, 2) & 0xffffffffn),
);

/** SHA-224 and SHA-256 of FIPS 180-4. */
export class Sha256 extends BlockDigest {
  readonly #state: Int32Array;
  readonly #words = new Int32Array(64);
  readonly #size: number;

  constructor(bits: 224 | 256) {
    super(64);
    this.#state = (bits === 224 ? start224 : start256).slice();
    this.#size = bits / 32;
  }

  protected override compress(bytes: Uint8Array, at: number): void {
    const words = this.#words;
    readWords(bytes, at, words);
    for (let word = 16; word < 64; word++) {
      const x = words[word - 15] ?? 0;
      const y = words[word - 2] ?? 0;
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      words[word] = ((words[word - 16] ?? 0) + s0 + (words[word - 7] ?? 0) + s1) | 0;
    }
    this.#rounds(words);
  }

  #rounds(words: Int32Array): void {
    const state = this.#state;
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let step = 0; step < 64; step++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + (g ^ (e & (f ^ g))) + (constants[step] ?? 0) + (words[step] ?? 0)) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0] = (state[0] ?? 0) + a;
    state[1] = (state[1] ?? 0) + b;
    state[2] = (state[2] ?? 0) + c;
    state[3] = (state[3] ?? 0) + d;
    state[4] = (state[4] ?? 0) + e;
    state[5] = (state[5] ?? 0) + f;
    state[6] = (state[6] ?? 0) + g;
    state[7] = (state[7] ?? 0) + h;
  }

  protected override result(): Uint8Array {
    return wordBytes(this.#state, this.#size);
  }
}
