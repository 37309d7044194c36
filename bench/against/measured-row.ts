// One row of the comparison: its rounds so far, or why it has none.
import type { PeerProcess } from "../peer-process.ts";
import type { Row } from "../row.ts";
import { summarize } from "../statistics.ts";
import { type Comparison, compare, type Round } from "./compare.ts";
import { type Plan, planRounds } from "./plan-rounds.ts";

export type Side = "head" | "base";
export type Sides = Readonly<Record<Side, PeerProcess>>;

export interface AgainstResult {
  readonly key: string;
  readonly title: string;
  /** Undefined where a build has no figure. */
  readonly comparison: Comparison | undefined;
  /** Why a build has none. */
  readonly problems: Readonly<Partial<Record<Side, string>>>;
  /** What was measured, by blocks. */
  readonly blocks: readonly (readonly Round[])[];
}

/** Trials before the first round, fewer where they take longer than this together. */
const TRIALS = 3;
const TRIALS_MS = 1000;

export class MeasuredRow {
  readonly #row: Row;
  readonly #wantedRounds: number | undefined;
  readonly #blocks: Round[][] = [];
  readonly #problems: Partial<Record<Side, string>> = {};
  #plan: Plan | undefined;
  #samples = 0;

  /** Without `wantedRounds` the time that the row takes decides. */
  constructor(row: Row, wantedRounds: number | undefined) {
    this.#row = row;
    this.#wantedRounds = wantedRounds;
  }

  /**
   * Measures the next of so many blocks. A build that fails is not asked again, the other one once more:
   * so it is seen whether only one of them has the row.
   */
  async measureBlock(sides: Sides, blocks: number, signal: AbortSignal): Promise<void> {
    if (this.#hasFailed) return;
    const block: Round[] = [];
    this.#blocks.push(block);
    await Promise.all(
      anyOrder().map((side) => {
        return this.#attempt(side, async () => this.#row.prepare?.(sides[side]));
      }),
    );
    const trials = this.#plan === undefined ? TRIALS : 1;
    const pairMs =
      (await this.#try(sides.head, "head", trials)) + (await this.#try(sides.base, "base", trials));
    this.#plan ??= planRounds(pairMs, this.#wantedRounds);
    const roundsDone = this.#blocks.flat().length;
    const rounds = Math.ceil((this.#plan.rounds * this.#blocks.length) / blocks) - roundsDone;
    let order = anyOrder();
    for (let round = 0; round < rounds && !this.#hasFailed; round++) {
      signal.throwIfAborted();
      const times = await this.#measureRound(sides, order, this.#plan.batch);
      if (times !== undefined) block.push(times);
      // Of each two rounds each build is first in one.
      order = round % 2 === 0 ? order.toReversed() : anyOrder();
    }
  }

  /** For people who wait. */
  get progress(): string {
    const { comparison, key, problems } = this.result();
    if (comparison === undefined) return `${key}: failed in ${Object.keys(problems).join(" and ")}`;
    const { rounds, ratio } = comparison;
    return `${key}: ${ratio.toFixed(2)} after ${rounds} of ${this.#plan?.rounds} rounds`;
  }

  result(): AgainstResult {
    const { key, title } = this.#row;
    const comparison = this.#hasFailed ? undefined : compare(this.#blocks);
    return { key, title, comparison, problems: this.#problems, blocks: this.#blocks };
  }

  get #hasFailed(): boolean {
    return Object.keys(this.#problems).length > 0;
  }

  /** The shortest time that a call takes, with what is around it. The first calls are slow. */
  async #try(peer: PeerProcess, side: Side, trials: number): Promise<number> {
    const start = performance.now();
    let shortest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < trials && performance.now() - start < TRIALS_MS; i++) {
      const before = performance.now();
      await this.#attempt(side, () => this.#sample(peer));
      shortest = Math.min(shortest, performance.now() - before);
    }
    return shortest;
  }

  /** Of each build the median of its calls. */
  async #measureRound(
    sides: Sides,
    order: readonly Side[],
    batch: number,
  ): Promise<Round | undefined> {
    const times: Partial<Record<Side, number | undefined>> = {};
    for (const side of order) {
      await this.#attempt(side, async () => {
        const calls: number[] = [];
        for (let i = 0; i < batch; i++) calls.push(await this.#sample(sides[side]));
        times[side] = summarize(calls)?.median;
      });
    }
    const { head, base } = times;
    return head === undefined || base === undefined ? undefined : { head, base };
  }

  /** Each has a number of its own: rows name VMs by it. */
  #sample(peer: PeerProcess): Promise<number> {
    this.#samples += 1;
    return this.#row.sample(peer, this.#samples);
  }

  async #attempt(side: Side, work: () => Promise<unknown>): Promise<void> {
    if (this.#problems[side] !== undefined) return;
    try {
      await work();
    } catch (error) {
      this.#problems[side] = error instanceof Error ? error.message : String(error);
    }
  }
}

function anyOrder(): readonly Side[] {
  return Math.random() < 0.5 ? ["head", "base"] : ["base", "head"];
}
