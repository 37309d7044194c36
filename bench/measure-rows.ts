// Runs the rows, all peers in turn in every round, so that what the machine does meanwhile meets all
// of them alike.
import { setTimeout } from "node:timers/promises";
import type { PeerName } from "./peer-list.ts";
import type { PeerProcess } from "./peer-process.ts";
import { type Goal, isAsked, type Row } from "./row.ts";
import { type Summary, summarize } from "./statistics.ts";

const SETTLE_MS = 300;

/** A peer's figure in a row: numbers, or why there are none. */
export type Figure = Summary | { readonly problem: string };

export interface Result {
  readonly key: string;
  readonly title: string;
  readonly unit: "ms" | "MB";
  readonly goals?: readonly Goal[];
  readonly figures: Partial<Record<PeerName, Figure>>;
}

/** Throws the signal's reason once it is aborted. A peer that fails a round is left out of the row's further ones; the row says why. */
export async function measureRow(
  row: Row,
  peers: readonly PeerProcess[],
  { rounds: mostRounds, signal }: { readonly rounds: number; readonly signal: AbortSignal },
): Promise<Result> {
  const asked = peers.filter(({ name }) => isAsked(row, name));
  const samples = new Map<PeerName, number[]>(asked.map(({ name }) => [name, []]));
  const problems = new Map<PeerName, string>();
  const attempt = async (peer: PeerProcess, work: () => Promise<unknown>): Promise<void> => {
    if (problems.has(peer.name)) return;
    try {
      await work();
    } catch (error) {
      problems.set(peer.name, error instanceof Error ? error.message : String(error));
    }
  };
  for (const peer of asked) await attempt(peer, async () => row.prepare?.(peer));
  for (let round = 0; round < mostRounds; round++) {
    for (const peer of asked) {
      if (round >= row.rounds(peer.name, mostRounds)) continue;
      // What a peer does after it has answered, such as starting its next worker, must not meet the next one.
      await setTimeout(SETTLE_MS);
      signal.throwIfAborted();
      await attempt(peer, async () => {
        samples.get(peer.name)?.push(await row.sample(peer, round));
      });
    }
  }
  const figures: Partial<Record<PeerName, Figure>> = {};
  for (const { name } of asked) {
    const problem = problems.get(name);
    const summary = summarize(samples.get(name) ?? []);
    figures[name] =
      problem === undefined && summary !== undefined
        ? summary
        : { problem: problem ?? "not measured" };
  }
  const { key, title, goals } = row;
  return { key, title, unit: "ms", ...(goals && { goals }), figures };
}
