/** Soon, yet after the VM that has just been made has had the processor. */
const FIRST_DELAY_MS = 20;
const LONGEST_DELAY_MS = 30_000;
/** Losses further apart than this have nothing to do with each other. */
const PEACE_MS = 60_000;

/**
 * How long to wait before cells are started again: longer with every cell that was lost before
 * anybody used it, so that a host on which none can live is not kept busy by starting them.
 */
export class RefillPace {
  #losses = 0;
  #lastLossMs = Number.NEGATIVE_INFINITY;

  get delayMs(): number {
    return Math.min(FIRST_DELAY_MS * 2 ** this.#losses, LONGEST_DELAY_MS);
  }

  /** A cell did not start, or ended while it waited. */
  noteLoss(nowMs: number): void {
    if (nowMs - this.#lastLossMs > PEACE_MS) this.#losses = 0;
    this.#losses += 1;
    this.#lastLossMs = nowMs;
  }

  /** A cell was taken and lives. */
  noteUse(): void {
    this.#losses = 0;
  }
}
