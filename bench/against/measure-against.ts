// Measures the rows of two builds in turns, in several pairs of fresh processes.
import type { PeerProcess } from "../peer-process.ts";
import type { Row } from "../row.ts";
import { type Comparison, compare, type Round } from "./compare.ts";

export type Side = "head" | "base";
export type Sides = Readonly<Record<Side, PeerProcess>>;

export interface AgainstResult {
  readonly key: string;
  readonly title: string;
  /** Undefined where a build has no figure. */
  readonly comparison: Comparison | undefined;
  /** Why a build has none. */
  readonly problems: Readonly<Partial<Record<Side, string>>>;
}

export interface AgainstWork {
  readonly rows: readonly Row[];
  /** Fresh processes of both builds. */
  readonly makeSides: () => Sides;
  /** Rounds of every row; undefined: ROUNDS, or as many as fit into ROW_MS. */
  readonly rounds: number | undefined;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Pairs of processes. What one process was lucky with, the next need not be. */
const BLOCKS = 5;
const ROUNDS = 100;
const FEWEST_ROUNDS = 15;
const ROW_MS = 30_000;

/** A round of a quick row is as many calls as take this long: a clock's tick and a wake-up count less. */
const BATCH_MS = 15;
const LARGEST_BATCH = 20;

const CLEAN_UP_LIMIT_MS = 20_000;

/** Every block measures every row, so that each row is spread over the whole run. */
export async function measureAgainst(work: AgainstWork): Promise<readonly AgainstResult[]> {
  const { rows, signal, say } = work;
  const measured = rows.map((row) => new MeasuredRow(row, work.rounds));
  const started = Date.now();
  for (let block = 0; block < BLOCKS; block++) {
    const sides = work.makeSides();
    try {
      for (const [index, row] of measured.entries()) {
        signal.throwIfAborted();
        await row.measureBlock(sides, signal);
        await cleanUp(sides, say);
        const minutes = ((Date.now() - started) / 60_000).toFixed(1);
        say(
          `[${block + 1}/${BLOCKS}] ${index + 1}/${rows.length} ${row.progress} (${minutes} min)`,
        );
      }
    } finally {
      await Promise.all([sides.head.close(), sides.base.close()]);
    }
  }
  return measured.map((row) => row.result());
}

/** Of a build that does not manage it the process is ended; its next call starts another. */
async function cleanUp({ head, base }: Sides, say: AgainstWork["say"]): Promise<void> {
  for (const peer of [head, base]) {
    try {
      await peer.call({ kind: "destroyAll" }, CLEAN_UP_LIMIT_MS);
    } catch (error) {
      say(`VMs could not be destroyed: ${String(error)}`);
    }
  }
}

interface Plan {
  readonly rounds: number;
  readonly batch: number;
}

class MeasuredRow {
  readonly #row: Row;
  readonly #wantedRounds: number | undefined;
  readonly #blocks: Round[][] = [];
  readonly #problems: Partial<Record<Side, string>> = {};
  #plan: Plan | undefined;
  #lastRound = 0;

  constructor(row: Row, wantedRounds: number | undefined) {
    this.#row = row;
    this.#wantedRounds = wantedRounds;
  }

  /** A build that fails is not asked again: the row has no comparison then. */
  async measureBlock(sides: Sides, signal: AbortSignal): Promise<void> {
    if (this.#hasFailed) return;
    const block: Round[] = [];
    this.#blocks.push(block);
    for (const side of shuffled())
      await this.#attempt(side, () => this.#row.prepare?.(sides[side]));
    // Both, so that a row that only one build has is seen as such.
    const trial = { head: 0, base: 0 };
    for (const side of shuffled()) trial[side] = await this.#trial(sides, side);
    this.#plan ??= this.#makePlan(trial.head + trial.base);
    const rounds = Math.ceil((this.#plan.rounds * this.#blocks.length) / BLOCKS) - this.#roundsDone;
    let order = shuffled();
    for (let round = 0; round < rounds && !this.#hasFailed; round++) {
      signal.throwIfAborted();
      const times = await this.#measureRound(sides, order, this.#plan.batch);
      if (times !== undefined) block.push(times);
      order = round % 2 === 0 ? order.toReversed() : shuffled();
    }
  }

  get progress(): string {
    const comparison = compare(this.#blocks);
    const { key } = this.#row;
    if (comparison === undefined || this.#hasFailed) return `${key}: ${describe(this.#problems)}`;
    const { rounds, ratio } = comparison;
    return `${key}: ${ratio.toFixed(2)} after ${rounds} of ${this.#plan?.rounds} rounds`;
  }

  result(): AgainstResult {
    const { key, title } = this.#row;
    const comparison = this.#hasFailed ? undefined : compare(this.#blocks);
    return { key, title, comparison, problems: this.#problems };
  }

  get #hasFailed(): boolean {
    return Object.keys(this.#problems).length > 0;
  }

  get #roundsDone(): number {
    return this.#blocks.flat().length;
  }

  async #trial(sides: Sides, side: Side): Promise<number> {
    const start = performance.now();
    await this.#attempt(side, () => this.#sample(sides[side]));
    return performance.now() - start;
  }

  /** `pairMs`: what a sample of both takes, with what is around it. */
  #makePlan(pairMs: number): Plan {
    const batch = Math.min(LARGEST_BATCH, Math.max(1, Math.round((2 * BATCH_MS) / pairMs)));
    const fitting = Math.floor(ROW_MS / (pairMs * batch));
    const rounds = Math.max(FEWEST_ROUNDS, Math.min(ROUNDS, fitting));
    return { batch, rounds: this.#wantedRounds ?? rounds };
  }

  async #measureRound(
    sides: Sides,
    order: readonly Side[],
    batch: number,
  ): Promise<Round | undefined> {
    const times: Partial<Record<Side, number>> = {};
    for (const side of order) {
      let sum = 0;
      await this.#attempt(side, async () => {
        for (let i = 0; i < batch; i++) sum += await this.#sample(sides[side]);
        times[side] = sum / batch;
      });
    }
    const { head, base } = times;
    return head === undefined || base === undefined ? undefined : { head, base };
  }

  #sample(peer: PeerProcess): Promise<number> {
    this.#lastRound += 1;
    return this.#row.sample(peer, this.#lastRound);
  }

  async #attempt(side: Side, work: () => Promise<unknown> | undefined): Promise<void> {
    if (this.#problems[side] !== undefined) return;
    try {
      await work();
    } catch (error) {
      this.#problems[side] = error instanceof Error ? error.message : String(error);
    }
  }
}

function shuffled(): readonly Side[] {
  return Math.random() < 0.5 ? ["head", "base"] : ["base", "head"];
}

function describe(problems: AgainstResult["problems"]): string {
  return Object.entries(problems)
    .map(([side, problem]) => `${side} failed: ${problem.trim().slice(0, 200)}`)
    .join("; ");
}
