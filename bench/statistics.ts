/** What a row's rounds come to. */
export interface Summary {
  readonly median: number;
  /** Nearest rank: of fewer than 20 values it is the largest. */
  readonly p95: number;
  readonly rounds: number;
}

/** Undefined of nothing. */
export function summarize(values: readonly number[]): Summary | undefined {
  const sorted = Float64Array.from(values).sort();
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.ceil((sorted.length - 1) / 2)];
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1];
  if (low === undefined || high === undefined || p95 === undefined) return undefined;
  return { median: (low + high) / 2, p95, rounds: sorted.length };
}
