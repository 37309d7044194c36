// Input for a command, given while its output is waited for: a command may read none of it.
import type { Exec } from "../vm/index.ts";

/** Goes on by itself until all is taken or the command has ended. */
export class ExecFeeding {
  /** Resolves when it is over, however. */
  readonly done: Promise<void>;
  #failure: Error | undefined;

  /** Starts at once. */
  constructor(exec: Exec, give: () => Promise<void>) {
    this.done = give().catch((error: unknown) => {
      // Commands that end without reading their input are common: `true`, `head -1`.
      if (exec.isRunning) this.#failure = error instanceof Error ? error : new Error(String(error));
    });
  }

  /** Throws what went wrong so far, unless it is that the command has ended. */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
