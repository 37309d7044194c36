/** Destroys sandboxes until their providers confirm it. */

import { plainFailure } from "../plain-failure.ts";
import type { Sandbox } from "../provider.ts";
import type { RecordLog } from "../records/record-log.ts";

interface Left {
  readonly vm: string;
  readonly sandbox: Sandbox;
}

/** One for a server. What is not confirmed is tried again with each `tick`, and recorded. */
export class Disposal {
  readonly #records: RecordLog;
  readonly #left = new Map<string, Left>();

  constructor(records: RecordLog) {
    this.#records = records;
  }

  /** How many are still there although they should not be. */
  get leftCount(): number {
    return this.#left.size;
  }

  /** Never throws. Whether it is gone for certain. */
  async dispose(vm: string, sandbox: Sandbox): Promise<boolean> {
    try {
      await sandbox.destroy();
      this.#left.delete(sandbox.ref);
      this.#records.add(vm, "destroyed", { ref: sandbox.ref });
      return true;
    } catch (error) {
      const { message: why, cause } = plainFailure(error);
      if (!this.#left.has(sandbox.ref))
        this.#records.add(vm, "not destroyed", { ref: sandbox.ref, why }, cause);
      this.#left.set(sandbox.ref, { vm, sandbox });
      return false;
    }
  }

  async tick(): Promise<void> {
    await Promise.all([...this.#left.values()].map(({ vm, sandbox }) => this.dispose(vm, sandbox)));
  }
}
