// monitorEventLoopDelay(): how late a timer of the loop is, in nanoseconds.
import { native } from "../../native.ts";
import { cancel, request } from "../../requests.ts";
import { Histogram } from "./histogram.ts";

const LONGEST_NS = 3.6e12;

export class LoopDelay extends Histogram {
  readonly #resolutionMs: number;
  #waiting: number | undefined;

  constructor(resolutionMs: number) {
    super(1, LONGEST_NS, 3);
    this.#resolutionMs = resolutionMs;
  }

  start(hasReset?: boolean): void {
    if (hasReset === true) this.reset();
    this.stop();
    this.#next();
  }

  #next(): void {
    const startNs: bigint = native["hrtime"]();
    const done = (): void => {
      const delta = native["hrtime"]() - startNs;
      if (delta > 0n) this.record(delta);
      this.#next();
    };
    this.#waiting = request("sleep", [this.#resolutionMs], done, false);
  }

  stop(): void {
    if (this.#waiting !== undefined) cancel(this.#waiting);
    this.#waiting = undefined;
  }
}
