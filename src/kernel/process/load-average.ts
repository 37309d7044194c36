/** The last minute, five and fifteen, as getloadavg(3) has them. */
const PERIODS_MS = [60_000, 300_000, 900_000] as const;
/** Between two samples, as Linux takes them. */
const SAMPLE_MS = 5_000;

/**
 * How many processors the VM's processes have kept busy, averaged over time.
 *
 * Deviation: Linux counts who computes and who waits for a processor; here it is the processors in use, so that programs,
 * which share one thread, add up to 1 at most.
 */
export class LoadAverage {
  #averages: readonly [number, number, number] = [0, 0, 0];
  #sampledMs: number;
  #cpuMs = 0;

  constructor(nowMs: number) {
    this.#sampledMs = nowMs;
  }

  /** Called while guests run. `cpuMs` answers what all processes that ever were have used. */
  sample(nowMs: number, cpuMs: () => number): void {
    if (nowMs - this.#sampledMs >= SAMPLE_MS) this.#take(nowMs, cpuMs());
  }

  read(nowMs: number, cpuMs: number): readonly [number, number, number] {
    this.#take(nowMs, cpuMs);
    return this.#averages;
  }

  #take(nowMs: number, cpuMs: number): void {
    const passedMs = nowMs - this.#sampledMs;
    if (passedMs <= 0) return;
    const load = Math.max(0, cpuMs - this.#cpuMs) / passedMs;
    const [one, five, fifteen] = this.#averages;
    const next = (before: number, periodMs: number): number => {
      const kept = Math.exp(-passedMs / periodMs);
      return before * kept + load * (1 - kept);
    };
    this.#averages = [
      next(one, PERIODS_MS[0]),
      next(five, PERIODS_MS[1]),
      next(fifteen, PERIODS_MS[2]),
    ];
    this.#sampledMs = nowMs;
    this.#cpuMs = cpuMs;
  }
}
