/**
 * Does work that keeps the thread busy once it is its caller's turn: callers share one thread. Rejects with the signal's
 * reason where that comes first.
 */
export type Turn = <T>(work: () => T, signal?: AbortSignal) => Promise<Awaited<T>>;

export async function atOnce<T>(work: () => T): Promise<Awaited<T>> {
  return await work();
}
