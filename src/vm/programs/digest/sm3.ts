import { BlockDigest, wordBytes } from "./digest.ts";

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/** GB/T 32905-2016. */
export class Sm3 extends BlockDigest {
  readonly #state = Int32Array.of(
    0x7380166f,
    0x4914b2b9,
    0x172442d7,
    0xda8a0600,
    0xa96f30bc,
    0x163138aa,
    0xe38dee4d,
    0xb0fb0e4e,
  );
  readonly #words = new Int32Array(68);

  constructor() {
    super(64);
  }

  protected override compress(bytes: Uint8Array, at: number): void {
    const words = this.#words;
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, 64);
    for (let word = 0; word < 16; word++) words[word] = view.getInt32(word * 4);
    for (let word = 16; word < 68; word++) {
      const x = (words[word - 16] ?? 0) ^ (words[word - 9] ?? 0) ^ rotate(words[word - 3] ?? 0, 15);
      words[word] =
        x ^
        rotate(x, 15) ^
        rotate(x, 23) ^
        rotate(words[word - 13] ?? 0, 7) ^
        (words[word - 6] ?? 0);
    }
    this.#rounds(words);
  }

  #rounds(words: Int32Array): void {
    const state = this.#state;
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let step = 0; step < 64; step++) {
      const isEarly = step < 16;
      const constant = rotate(isEarly ? 0x79cc4519 : 0x7a879d8a, step % 32);
      const ss1 = rotate((rotate(a, 12) + e + constant) | 0, 7);
      const ss2 = ss1 ^ rotate(a, 12);
      const ff = isEarly ? a ^ b ^ c : (a & b) | (a & c) | (b & c);
      const gg = isEarly ? e ^ f ^ g : (e & f) | (~e & g);
      const word = words[step] ?? 0;
      const t1 = (ff + d + ss2 + (word ^ (words[step + 4] ?? 0))) | 0;
      const t2 = (gg + h + ss1 + word) | 0;
      d = c;
      c = rotate(b, 9);
      b = a;
      a = t1;
      h = g;
      g = rotate(f, 19);
      f = e;
      e = t2 ^ rotate(t2, 9) ^ rotate(t2, 17);
    }
    for (const [at, value] of [a, b, c, d, e, f, g, h].entries())
      state[at] = (state[at] ?? 0) ^ value;
  }

  protected override result(): Uint8Array {
    return wordBytes(this.#state, 8);
  }
}
