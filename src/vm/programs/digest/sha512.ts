import { BlockDigest, wordBytes } from "./digest.ts";
import { firstPrimes, rootBits } from "./primes.ts";

/** Each number as its high and its low half. */
function halves(numbers: readonly bigint[]): Int32Array {
  return Int32Array.from(numbers.flatMap((one) => [Number(one >> 32n), Number(one & 0xffffffffn)]));
}

const constants = halves(firstPrimes(80).map((prime) => rootBits(prime, 3)));
const start512 = halves(firstPrimes(8).map((prime) => rootBits(prime, 2)));
const start384 = halves(
  firstPrimes(16)
    .slice(8)
    .map((prime) => rootBits(prime, 2)),
);

/** SHA-384 and SHA-512 of FIPS 180-4, on halves of 32 bits. */
export class Sha512 extends BlockDigest {
  readonly #state: Int32Array;
  readonly #words = new Int32Array(160);
  readonly #size: number;

  constructor(bits: 384 | 512) {
    super(128);
    this.#state = (bits === 384 ? start384 : start512).slice();
    this.#size = bits / 32;
  }

  protected override compress(bytes: Uint8Array, at: number): void {
    const words = this.#words;
    for (let word = 0, from = at; word < 32; word++, from += 4) {
      words[word] =
        ((bytes[from] ?? 0) << 24) |
        ((bytes[from + 1] ?? 0) << 16) |
        ((bytes[from + 2] ?? 0) << 8) |
        (bytes[from + 3] ?? 0);
    }
    for (let word = 32; word < 160; word += 2) {
      const xh = words[word - 30] ?? 0;
      const xl = words[word - 29] ?? 0;
      const yh = words[word - 4] ?? 0;
      const yl = words[word - 3] ?? 0;
      const s0h = ((xh >>> 1) | (xl << 31)) ^ ((xh >>> 8) | (xl << 24)) ^ (xh >>> 7);
      const s0l = ((xl >>> 1) | (xh << 31)) ^ ((xl >>> 8) | (xh << 24)) ^ ((xl >>> 7) | (xh << 25));
      const s1h = ((yh >>> 19) | (yl << 13)) ^ ((yl >>> 29) | (yh << 3)) ^ (yh >>> 6);
      const s1l =
        ((yl >>> 19) | (yh << 13)) ^ ((yh >>> 29) | (yl << 3)) ^ ((yl >>> 6) | (yh << 26));
      const low =
        ((words[word - 31] ?? 0) >>> 0) +
        (s0l >>> 0) +
        ((words[word - 13] ?? 0) >>> 0) +
        (s1l >>> 0);
      words[word + 1] = low;
      words[word] =
        ((words[word - 32] ?? 0) +
          s0h +
          (words[word - 14] ?? 0) +
          s1h +
          Math.floor(low / 2 ** 32)) |
        0;
    }
    this.#rounds(words);
  }

  #rounds(words: Int32Array): void {
    const v = this.#state.slice();
    for (let step = 0; step < 160; step += 2) {
      const eh = v[8] ?? 0;
      const el = v[9] ?? 0;
      const ah = v[0] ?? 0;
      const al = v[1] ?? 0;
      const s1h =
        ((eh >>> 14) | (el << 18)) ^ ((eh >>> 18) | (el << 14)) ^ ((el >>> 9) | (eh << 23));
      const s1l =
        ((el >>> 14) | (eh << 18)) ^ ((el >>> 18) | (eh << 14)) ^ ((eh >>> 9) | (el << 23));
      const chooseH = (v[12] ?? 0) ^ (eh & ((v[10] ?? 0) ^ (v[12] ?? 0)));
      const chooseL = (v[13] ?? 0) ^ (el & ((v[11] ?? 0) ^ (v[13] ?? 0)));
      const t1Low =
        ((v[15] ?? 0) >>> 0) +
        (s1l >>> 0) +
        (chooseL >>> 0) +
        ((constants[step + 1] ?? 0) >>> 0) +
        ((words[step + 1] ?? 0) >>> 0);
      const t1High =
        ((v[14] ?? 0) +
          s1h +
          chooseH +
          (constants[step] ?? 0) +
          (words[step] ?? 0) +
          Math.floor(t1Low / 2 ** 32)) |
        0;
      const s0h = ((ah >>> 28) | (al << 4)) ^ ((al >>> 2) | (ah << 30)) ^ ((al >>> 7) | (ah << 25));
      const s0l = ((al >>> 28) | (ah << 4)) ^ ((ah >>> 2) | (al << 30)) ^ ((ah >>> 7) | (al << 25));
      const majorH = (ah & (v[2] ?? 0)) | ((v[4] ?? 0) & (ah | (v[2] ?? 0)));
      const majorL = (al & (v[3] ?? 0)) | ((v[5] ?? 0) & (al | (v[3] ?? 0)));
      const eLow = ((v[7] ?? 0) >>> 0) + (t1Low % 2 ** 32);
      const eHigh = (v[6] ?? 0) + t1High + Math.floor(eLow / 2 ** 32);
      const aLow = (t1Low % 2 ** 32) + (s0l >>> 0) + (majorL >>> 0);
      const aHigh = t1High + s0h + majorH + Math.floor(aLow / 2 ** 32);
      v.copyWithin(2, 0, 14);
      v[8] = eHigh;
      v[9] = eLow;
      v[0] = aHigh;
      v[1] = aLow;
    }
    this.#add(v);
  }

  #add(values: Int32Array): void {
    const state = this.#state;
    for (let at = 0; at < 16; at += 2) {
      const low = ((state[at + 1] ?? 0) >>> 0) + ((values[at + 1] ?? 0) >>> 0);
      state[at + 1] = low;
      state[at] = (state[at] ?? 0) + (values[at] ?? 0) + Math.floor(low / 2 ** 32);
    }
  }

  protected override result(): Uint8Array {
    return wordBytes(this.#state, this.#size);
  }
}
