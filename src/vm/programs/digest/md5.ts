import { BlockDigest, wordBytes } from "./digest.ts";

const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const sines = Int32Array.from({ length: 64 }, (_, at) =>
  Math.floor(Math.abs(Math.sin(at + 1)) * 2 ** 32),
);

/** RFC 1321. */
export class Md5 extends BlockDigest {
  readonly #state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  readonly #words = new Int32Array(16);

  constructor() {
    super(64, true);
  }

  protected override compress(bytes: Uint8Array, at: number): void {
    const words = this.#words;
    for (let word = 0, from = at; word < 16; word++, from += 4) {
      words[word] =
        (bytes[from] ?? 0) |
        ((bytes[from + 1] ?? 0) << 8) |
        ((bytes[from + 2] ?? 0) << 16) |
        ((bytes[from + 3] ?? 0) << 24);
    }
    let [a = 0, b = 0, c = 0, d = 0] = this.#state;
    for (let step = 0; step < 64; step++) {
      let mixed: number;
      let word: number;
      if (step < 16) {
        mixed = d ^ (b & (c ^ d));
        word = step;
      } else if (step < 32) {
        mixed = c ^ (d & (b ^ c));
        word = (step * 5 + 1) & 15;
      } else if (step < 48) {
        mixed = b ^ c ^ d;
        word = (step * 3 + 5) & 15;
      } else {
        mixed = c ^ (b | ~d);
        word = (step * 7) & 15;
      }
      const sum = (a + mixed + (sines[step] ?? 0) + (words[word] ?? 0)) | 0;
      const shift = shifts[((step >> 4) << 2) | (step & 3)] ?? 0;
      a = d;
      d = c;
      c = b;
      b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0;
    }
    this.#add(a, b, c, d);
  }

  #add(...values: readonly number[]): void {
    for (const [at, value] of values.entries())
      this.#state[at] = ((this.#state[at] ?? 0) + value) | 0;
  }

  protected override result(): Uint8Array {
    return wordBytes(this.#state, 4, true);
  }
}
