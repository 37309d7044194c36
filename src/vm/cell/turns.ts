import { KernelError } from "../../kernel/index.ts";

/** Requests that wait for one under way to end; guests' calls wait with them. */
const WAITING_LIMIT = 16_384;

/** Lets a few go on at one time, in their order. */
export class Turns {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** EAGAIN when far too many wait already. */
  async take(): Promise<void> {
    if (this.#underWay < this.#limit) {
      this.#underWay += 1;
      return;
    }
    if (this.#waiting.length >= WAITING_LIMIT) throw new KernelError("EAGAIN");
    // Whoever ends passes its turn on: the number under way stays.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  pass(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#underWay -= 1;
    else next();
  }
}
