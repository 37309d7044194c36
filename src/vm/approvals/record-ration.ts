/** Records that one VM may cause at once, and how many it gets back in an hour. */
const BURST = 200;
const PER_HOUR = 200;
const HOUR_MS = 60 * 60 * 1000;
/** VMs that are remembered; the one that has been quiet longest is forgotten. */
const VMS = 1000;

interface Share {
  left: number;
  atMs: number;
  suppressed: number;
}

/** How many records VMs may cause that no person has made: answers that are remembered, refusals, questions taken back. */
export class RecordRation {
  readonly #shares = new Map<string, Share>();

  /** How many were suppressed before this one, or undefined where this one is. */
  take(vm: string): number | undefined {
    const now = performance.now();
    const share = this.#shares.get(vm) ?? { left: BURST, atMs: now, suppressed: 0 };
    this.#shares.delete(vm);
    this.#shares.set(vm, share);
    if (this.#shares.size > VMS) {
      const [quietest] = this.#shares.keys();
      if (quietest !== undefined) this.#shares.delete(quietest);
    }
    share.left = Math.min(BURST, share.left + ((now - share.atMs) / HOUR_MS) * PER_HOUR);
    share.atMs = now;
    if (share.left < 1) {
      share.suppressed += 1;
      return undefined;
    }
    share.left -= 1;
    const { suppressed } = share;
    share.suppressed = 0;
    return suppressed;
  }
}
