import type { Digest } from "./digest.ts";
import { firstPrimes, rootBits } from "./primes.ts";

/** Each number as its low and its high half. */
const start = Uint32Array.from(
  firstPrimes(8)
    .map((prime) => rootBits(prime, 2))
    .flatMap((one) => [Number(one & 0xffffffffn), Number(one >> 32n)]),
);

/** In which order each round takes the words of a block, in hexadecimal. */
const orders = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
];
const sigma = Uint8Array.from(
  [...orders, ...orders.slice(0, 2)].join(""),
  (digit) => Number.parseInt(digit, 16) * 2,
);

/** Columns, then diagonals. */
const mixes = Uint8Array.from(
  "048c159d26ae37bf05af16bc278d349e",
  (digit) => Number.parseInt(digit, 16) * 2,
);

const BLOCK_BYTES = 128;
const ROUNDS = 12;

/** RFC 7693, without a key. */
export class Blake2b implements Digest {
  readonly #state = start.slice();
  readonly #block = new Uint8Array(BLOCK_BYTES);
  readonly #v = new Uint32Array(32);
  readonly #words = new Uint32Array(32);
  readonly #size: number;
  #held = 0;
  #total = 0;

  constructor(bytes: number) {
    this.#size = bytes;
    this.#state[0] = (this.#state[0] ?? 0) ^ 0x01010000 ^ bytes;
  }

  update(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#held === BLOCK_BYTES) {
        this.#compress(false);
        this.#held = 0;
      }
      const taken = Math.min(BLOCK_BYTES - this.#held, bytes.length - at);
      this.#block.set(bytes.subarray(at, at + taken), this.#held);
      this.#held += taken;
      this.#total += taken;
      at += taken;
    }
  }

  finish(): Uint8Array {
    this.#block.fill(0, this.#held);
    this.#compress(true);
    const bytes = new Uint8Array(64);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < 16; at++) view.setUint32(at * 4, this.#state[at] ?? 0, true);
    return bytes.subarray(0, this.#size);
  }

  #compress(isLast: boolean): void {
    const v = this.#v;
    const words = this.#words;
    const view = new DataView(this.#block.buffer);
    for (let at = 0; at < 32; at++) words[at] = view.getUint32(at * 4, true);
    v.set(this.#state);
    v.set(start, 16);
    v[24] = (v[24] ?? 0) ^ (this.#total % 2 ** 32);
    v[25] = (v[25] ?? 0) ^ Math.floor(this.#total / 2 ** 32);
    if (isLast) {
      v[28] = ~(v[28] ?? 0);
      v[29] = ~(v[29] ?? 0);
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (let mix = 0; mix < 8; mix++) {
        const from = round * 16 + mix * 2;
        mixFour(v, mix * 4, words, from);
      }
    }
    for (let at = 0; at < 16; at++)
      this.#state[at] = (this.#state[at] ?? 0) ^ (v[at] ?? 0) ^ (v[at + 16] ?? 0);
  }
}

function mixFour(v: Uint32Array, mix: number, words: Uint32Array, from: number): void {
  const a = mixes[mix] ?? 0;
  const b = mixes[mix + 1] ?? 0;
  const c = mixes[mix + 2] ?? 0;
  const d = mixes[mix + 3] ?? 0;
  const x = sigma[from] ?? 0;
  const y = sigma[from + 1] ?? 0;
  addTo(v, a, v[b] ?? 0, v[b + 1] ?? 0);
  addTo(v, a, words[x] ?? 0, words[x + 1] ?? 0);
  xorRotate(v, d, a, 32);
  addTo(v, c, v[d] ?? 0, v[d + 1] ?? 0);
  xorRotate(v, b, c, 24);
  addTo(v, a, v[b] ?? 0, v[b + 1] ?? 0);
  addTo(v, a, words[y] ?? 0, words[y + 1] ?? 0);
  xorRotate(v, d, a, 16);
  addTo(v, c, v[d] ?? 0, v[d + 1] ?? 0);
  xorRotate(v, b, c, 63);
}

function addTo(v: Uint32Array, at: number, low: number, high: number): void {
  const sum = (v[at] ?? 0) + low;
  v[at] = sum;
  v[at + 1] = (v[at + 1] ?? 0) + high + (sum >= 2 ** 32 ? 1 : 0);
}

/** The exclusive or of two, turned right. */
function xorRotate(v: Uint32Array, to: number, other: number, by: number): void {
  const low = (v[to] ?? 0) ^ (v[other] ?? 0);
  const high = (v[to + 1] ?? 0) ^ (v[other + 1] ?? 0);
  if (by === 32) {
    v[to] = high;
    v[to + 1] = low;
  } else if (by === 63) {
    v[to] = (low << 1) | (high >>> 31);
    v[to + 1] = (high << 1) | (low >>> 31);
  } else {
    v[to] = (low >>> by) | (high << (32 - by));
    v[to + 1] = (high >>> by) | (low << (32 - by));
  }
}
