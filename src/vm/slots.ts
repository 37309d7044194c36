import type { HostError } from "./host-error.ts";

/** What may wait for a slot; beyond it, and for longer than MCP clients wait for an answer, nothing does. */
const WAITING_LIMIT = 1024;
const WAIT_LIMIT_MS = 20_000;

export interface SlotsOptions {
  readonly count: number;
  /** Says why there is none. */
  readonly refuse: (facts: SlotFacts) => HostError;
  readonly waitingLimit?: number;
  readonly waitLimitMs?: number;
}

export interface SlotFacts {
  readonly count: number;
  readonly waiting: number;
}

/** Lets a few things go on at one time; others wait, for a limited time, in the order in which they came. */
export class Slots {
  readonly #options: SlotsOptions;
  readonly #waiting = new Set<Wait>();
  #taken = 0;

  constructor(options: SlotsOptions) {
    this.#options = options;
  }

  /** Resolves when there is a slot; whoever gets it calls `free` once. Fails with what `refuse` makes. */
  async take(): Promise<void> {
    const { count, waitingLimit = WAITING_LIMIT, waitLimitMs = WAIT_LIMIT_MS } = this.#options;
    if (this.#taken < count) {
      this.#taken += 1;
      return;
    }
    if (this.#waiting.size >= waitingLimit) throw this.#refusal();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => this.#end(wait, this.#refusal()), waitLimitMs);
      const wait: Wait = { resolve, reject, timer };
      this.#waiting.add(wait);
    });
  }

  /** Gives the slot to the one that waits longest. */
  free(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#taken -= 1;
    else this.#end(next);
  }

  /** None of those that wait will get a slot. */
  refuseAll(error: HostError): void {
    for (const wait of this.#waiting) this.#end(wait, error);
  }

  #end(wait: Wait, error?: HostError): void {
    clearTimeout(wait.timer);
    this.#waiting.delete(wait);
    if (error === undefined) wait.resolve();
    else wait.reject(error);
  }

  #refusal(): HostError {
    return this.#options.refuse({ count: this.#taken, waiting: this.#waiting.size });
  }
}

interface Wait {
  readonly resolve: () => void;
  readonly reject: (error: HostError) => void;
  readonly timer: NodeJS.Timeout;
}
