import { decodeText, type Sys } from "../../kernel/index.ts";
import { LineBlocks } from "./line-blocks.ts";
import { defineProgram, type Run } from "./program.ts";
import { quoteText } from "./quote-text.ts";

/** Digits of a number, at most. */
const DIGIT_LIMIT = 1000;
/** Steps between two looks at what else is to be done. */
const YIELD_STEPS = 4096;

export const main = defineProgram(
  {
    name: "factor",
    usage: ["[NUMBER]...", "OPTION"],
    summary: "Print the prime factors of each NUMBER, or of those on standard input.",
    options: [],
  },
  async (run) => {
    for (const operand of run.operands) await showFactors(run, operand);
    if (run.operands.length > 0) return;
    const blocks = new LineBlocks(run.sys, 0);
    for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
      for (const word of decodeText(block).split(/[ \t\n\0]+/))
        if (word !== "") await showFactors(run, word);
    }
  },
);

// Deviation: factor writes its lines in the order of the numbers; GNU's has large ones first.
async function showFactors(run: Run, text: string): Promise<void> {
  const match = /^ *\+?(\d+)$/.exec(text);
  const digits = match?.[1] ?? "";
  if (match === null || digits.length > DIGIT_LIMIT) {
    await run.out.flush();
    await run.fail(`${quoteText(text)} is not a valid positive integer`);
    return;
  }
  const number = BigInt(digits);
  const factors = await new Factoring(run.sys).factors(number);
  run.out.addText(`${number}:${factors.map((factor) => ` ${factor}`).join("")}\n`);
  if (run.out.isFull) await run.out.flush();
}

/** Trial division, then Pollard's rho for what is left. */
class Factoring {
  readonly #sys: Sys;
  #steps = 0;

  constructor(sys: Sys) {
    this.#sys = sys;
  }

  async factors(number: bigint): Promise<readonly bigint[]> {
    if (number < 2n) return [];
    const factors: bigint[] = [];
    let rest = number;
    for (let prime = 2; prime < 5000; prime += prime === 2 ? 1 : 2) {
      const divisor = BigInt(prime);
      if (divisor * divisor > rest) break;
      while (rest % divisor === 0n) {
        factors.push(divisor);
        rest /= divisor;
      }
    }
    if (rest > 1n) await this.#split(rest, factors);
    return factors.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }

  async #split(number: bigint, factors: bigint[]): Promise<void> {
    if (number === 1n) return;
    if (number < 25_000_000n || isPrime(number)) {
      factors.push(number);
      return;
    }
    const divisor = await this.#findDivisor(number);
    await this.#split(divisor, factors);
    await this.#split(number / divisor, factors);
  }

  async #findDivisor(number: bigint): Promise<bigint> {
    for (let constant = 1n; ; constant++) {
      const found = await this.#walk(number, constant);
      if (found !== number) return found;
    }
  }

  /** Brent's cycle: products of many differences have their divisor taken at once. */
  async #walk(number: bigint, constant: bigint): Promise<bigint> {
    const next = (x: bigint): bigint => (x * x + constant) % number;
    let slow = 2n;
    let fast = 2n;
    for (let length = 1; ; length *= 2) {
      slow = fast;
      for (let done = 0; done < length; ) {
        const start = fast;
        const batch = Math.min(128, length - done);
        let product = 1n;
        for (let step = 0; step < batch; step++) {
          fast = next(fast);
          product = (product * (slow > fast ? slow - fast : fast - slow)) % number;
        }
        done += batch;
        await this.#rest(batch);
        if (gcd(product, number) > 1n) return firstDivisor(slow, start, number, next);
      }
    }
  }

  async #rest(steps: number): Promise<void> {
    this.#steps += steps;
    if (this.#steps < YIELD_STEPS) return;
    this.#steps = 0;
    await this.#sys.schedYield();
  }
}

function firstDivisor(
  slow: bigint,
  start: bigint,
  number: bigint,
  next: (x: bigint) => bigint,
): bigint {
  for (let fast = next(start); ; fast = next(fast)) {
    const divisor = gcd(slow > fast ? slow - fast : fast - slow, number);
    if (divisor > 1n) return divisor;
  }
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}

const witnesses = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n, 43n, 47n];

/** Miller and Rabin's test: certain below 2^64, and as good as certain above. */
function isPrime(number: bigint): boolean {
  let odd = number - 1n;
  let twos = 0;
  while (odd % 2n === 0n) {
    odd /= 2n;
    twos += 1;
  }
  return witnesses.every((witness) => passes(witness, odd, twos, number));
}

function passes(witness: bigint, odd: bigint, twos: number, number: bigint): boolean {
  let value = power(witness, odd, number);
  if (value === 1n || value === number - 1n) return true;
  for (let round = 1; round < twos; round++) {
    value = (value * value) % number;
    if (value === number - 1n) return true;
  }
  return false;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let left = exponent; left > 0n; left /= 2n) {
    if (left % 2n === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}
