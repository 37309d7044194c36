import { setTimeout as delay } from "node:timers/promises";
import type { Vm } from "../../../src/vm/index.ts";

/** Between two questions: often enough to notice what lasts, rarely enough to leave the cores to the attacks. */
const PAUSE_MS = 20;

/** A VM that is asked all the time, until it is told to stop. */
export class Neighbour {
  readonly #vm: Vm;
  #isStopped = false;
  readonly #asking: Promise<number>;

  constructor(vm: Vm) {
    this.#vm = vm;
    this.#asking = this.#ask();
    // stop() hears of a failure; until then it must not count as unhandled.
    this.#asking.catch(() => undefined);
  }

  /** How often it answered. Fails with the first wrong answer, or where its VM started anew. */
  async stop(): Promise<number> {
    this.#isStopped = true;
    const answers = await this.#asking;
    if (this.#vm.info().restarts > 0) throw new Error("the neighbour started anew");
    return answers;
  }

  async #ask(): Promise<number> {
    let answers = 0;
    for (; !this.#isStopped; answers += 1) {
      const { stdout } = await this.#vm.exec("echo hi");
      if (stdout !== "hi\n") throw new Error(`the neighbour answers ${JSON.stringify(stdout)}`);
      await delay(PAUSE_MS);
    }
    return answers;
  }
}
