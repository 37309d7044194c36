// How much slower a build is than another, from times that were taken in turns, and how sure that is.
import { summarize } from "../statistics.ts";

/** One round: what both builds took, one right after the other. Milliseconds of a call. */
export interface Round {
  readonly head: number;
  readonly base: number;
}

/** A ratio is HEAD's time divided by the commit's. */
export interface Comparison {
  readonly headMedian: number;
  readonly baseMedian: number;
  readonly ratio: number;
  /** The 95 % interval of the ratio. */
  readonly low: number;
  readonly high: number;
  readonly rounds: number;
  readonly verdict: Verdict;
}

/** Slower and faster only where the whole interval says so. */
export type Verdict = "slower" | "faster" | "ok";

const SLOWER_FROM = 1.1;
const FASTER_FROM = 0.9;
const RESAMPLES = 2000;

/**
 * The median of the rounds' ratios, and a bootstrap interval for it. Each of `blocks` holds the rounds
 * of one pair of processes: blocks are drawn again first, and then rounds within them, because rounds of
 * the same two processes share their luck (docs/decisions/0019-comparing-two-builds.md).
 */
export function compare(
  blocks: readonly (readonly Round[])[],
  random: () => number = makeRandom(),
): Comparison | undefined {
  const filled = blocks.filter((block) => block.length > 0);
  const rounds = filled.flat();
  const head = summarize(rounds.map((round) => round.head));
  const base = summarize(rounds.map((round) => round.base));
  const ratios = filled.map((block) => block.map((round) => round.head / round.base));
  const ratio = summarize(ratios.flat())?.median;
  if (head === undefined || base === undefined || ratio === undefined) return undefined;
  const { low, high } = interval(ratios, random);
  return {
    headMedian: head.median,
    baseMedian: base.median,
    ratio,
    low,
    high,
    rounds: rounds.length,
    verdict: low > SLOWER_FROM ? "slower" : high < FASTER_FROM ? "faster" : "ok",
  };
}

function interval(
  blocks: readonly (readonly number[])[],
  random: () => number,
): { low: number; high: number } {
  const medians = new Float64Array(RESAMPLES).map(() => {
    return summarize(resample(blocks, random))?.median ?? Number.NaN;
  });
  medians.sort();
  const at = (share: number): number => medians[Math.round(share * (RESAMPLES - 1))] ?? Number.NaN;
  return { low: at(0.025), high: at(0.975) };
}

/** As many blocks as there are, with replacement, and of each as many values as it has. */
function resample(blocks: readonly (readonly number[])[], random: () => number): number[] {
  const drawn: number[] = [];
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[Math.floor(random() * blocks.length)] ?? [];
    for (let j = 0; j < block.length; j++) {
      drawn.push(block[Math.floor(random() * block.length)] ?? Number.NaN);
    }
  }
  return drawn;
}

/** The same numbers in every run, so that the same times give the same interval (mulberry32). */
export function makeRandom(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
