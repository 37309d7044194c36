import { Ration } from "../ration.ts";

/** Records that one VM may cause. */
const RECORDS = { burst: 200, perHour: 200 };
/** VMs that are remembered; the one that has been quiet longest is forgotten. */
const VMS = 1000;

interface Share {
  readonly records: Ration;
  suppressed: number;
}

/** How many records VMs may cause that no person has made: answers that are remembered, refusals, questions taken back. */
export class RecordRation {
  readonly #shares = new Map<string, Share>();

  /** How many were suppressed before this one, or undefined where this one is. */
  take(vm: string): number | undefined {
    const share = this.#shares.get(vm) ?? { records: new Ration(RECORDS), suppressed: 0 };
    this.#shares.delete(vm);
    this.#shares.set(vm, share);
    if (this.#shares.size > VMS) {
      const [quietest] = this.#shares.keys();
      if (quietest !== undefined) this.#shares.delete(quietest);
    }
    if (!share.records.has(1)) {
      share.suppressed += 1;
      return undefined;
    }
    share.records.take(1);
    const { suppressed } = share;
    share.suppressed = 0;
    return suppressed;
  }
}
