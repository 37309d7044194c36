/**
 * gawk's random(): BSD's, with a buffer that shuffles what comes (Bays and Durham, 1976). The same
 * seed gives the same sequence.
 */
const DEGREE = 63;
const SEPARATION = 1;
const SHUFFLED = 512;

export class Random {
  readonly #state = new Uint32Array(DEGREE);
  readonly #shuffled = new Uint32Array(SHUFFLED);
  #picked = 0;
  #front = SEPARATION;
  #rear = 0;

  constructor(seed: number) {
    this.seed(seed);
  }

  seed(seed: number): void {
    let value = seed >>> 0;
    for (let at = 0; at < DEGREE; at++) {
      this.#state[at] = value;
      value = nextSeed(value);
    }
    this.#front = SEPARATION;
    this.#rear = 0;
    for (let at = 0; at < SHUFFLED; at++) this.#shuffled[at] = this.#step();
    this.#picked = this.#step();
    for (let count = 0; count < 10 * DEGREE; count++) this.#next();
  }

  /** At least 0 and below 1. */
  next(): number {
    const divisor = 2 ** 31;
    for (;;) {
      const low = this.#next();
      const high = this.#next();
      const value = 0.5 + (low / divisor + high) / divisor - 0.5;
      if (value !== 1) return value;
    }
  }

  #next(): number {
    const fresh = this.#step();
    const at = this.#picked % SHUFFLED;
    this.#picked = this.#shuffled[at] ?? 0;
    this.#shuffled[at] = fresh;
    return this.#picked;
  }

  #step(): number {
    const sum = ((this.#state[this.#front] ?? 0) + (this.#state[this.#rear] ?? 0)) >>> 0;
    this.#state[this.#front] = sum;
    this.#front = (this.#front + 1) % DEGREE;
    this.#rear = (this.#rear + 1) % DEGREE;
    return sum >>> 1;
  }
}

/** Park and Miller's generator by Schrage's method, in signed 32 bits. */
function nextSeed(value: number): number {
  const from = value === 0 ? 123_459_876 : value | 0;
  const high = Math.trunc(from / 127_773);
  const low = from % 127_773;
  const made = (16_807 * low - 2836 * high) | 0;
  return (made < 0 ? made + 0x7fffffff : made) >>> 0;
}
