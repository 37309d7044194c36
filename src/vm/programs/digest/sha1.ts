import { BlockDigest, readWords, wordBytes } from "./digest.ts";

/** FIPS 180-4. */
export class Sha1 extends BlockDigest {
  readonly #state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  readonly #words = new Int32Array(80);

  constructor() {
    super(64);
  }

  protected override compress(bytes: Uint8Array, at: number): void {
    const words = this.#words;
    readWords(bytes, at, words);
    for (let word = 16; word < 80; word++) {
      const mixed =
        (words[word - 3] ?? 0) ^
        (words[word - 8] ?? 0) ^
        (words[word - 14] ?? 0) ^
        (words[word - 16] ?? 0);
      words[word] = (mixed << 1) | (mixed >>> 31);
    }
    const state = this.#state;
    let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
    for (let step = 0; step < 80; step++) {
      let mixed: number;
      if (step < 20) mixed = ((d ^ (b & (c ^ d))) + 0x5a827999) | 0;
      else if (step < 40) mixed = ((b ^ c ^ d) + 0x6ed9eba1) | 0;
      else if (step < 60) mixed = (((b & c) | (d & (b | c))) + 0x8f1bbcdc) | 0;
      else mixed = ((b ^ c ^ d) + 0xca62c1d6) | 0;
      const next = (((a << 5) | (a >>> 27)) + mixed + e + (words[step] ?? 0)) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    state[0] = (state[0] ?? 0) + a;
    state[1] = (state[1] ?? 0) + b;
    state[2] = (state[2] ?? 0) + c;
    state[3] = (state[3] ?? 0) + d;
    state[4] = (state[4] ?? 0) + e;
  }

  protected override result(): Uint8Array {
    return wordBytes(this.#state, 5);
  }
}
