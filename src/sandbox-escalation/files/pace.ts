import { setImmediate as turn } from "node:timers/promises";

/** Others have their turns this often; steps between two looks at the clock. */
const SLICE_MS = 5;
const STEPS = 256;

/** Of long work in a thread that others need, too: `if (pace.isDue()) await pace.rest()` with every step. */
export class Pace {
  #steps = 0;
  #sinceMs = performance.now();

  isDue(): boolean {
    this.#steps += 1;
    return this.#steps % STEPS === 0 && performance.now() - this.#sinceMs >= SLICE_MS;
  }

  async rest(): Promise<void> {
    await turn();
    this.#sinceMs = performance.now();
  }
}
