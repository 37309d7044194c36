// How often a row is measured, from how long it takes.

export interface Plan {
  readonly rounds: number;
  /** Calls in a round, of each build. */
  readonly batch: number;
}

const ROUNDS = 100;
const FEWEST_ROUNDS = 20;
const ROW_MS = 30_000;

/** A round of a quick row is as many calls as take this long: their median leaves out late wake-ups. */
const BATCH_MS = 50;
const LARGEST_BATCH = 25;

/**
 * `pairMs` is how long a call of both builds takes, with what is around it. A row gets the rounds that
 * are wanted; else ROUNDS, or as many as fit into ROW_MS, but never fewer than FEWEST_ROUNDS.
 */
export function planRounds(pairMs: number, wanted: number | undefined): Plan {
  const batch = Math.min(LARGEST_BATCH, Math.max(1, Math.round((2 * BATCH_MS) / pairMs)));
  const fitting = Math.floor(ROW_MS / (pairMs * batch));
  return { batch, rounds: wanted ?? Math.max(FEWEST_ROUNDS, Math.min(ROUNDS, fitting)) };
}
