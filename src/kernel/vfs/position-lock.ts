import type { Answer } from "../answer.ts";

/**
 * Calls that use an open file's position take turns, as under Linux's f_pos lock: each waits for the
 * one before, so that descriptors which share the file read disjoint parts of it.
 */
export class PositionLock {
  /** Undefined while no step is under way. */
  #last: Promise<unknown> | undefined;

  /**
   * Runs `step` after the steps before it, whether these failed or not, and at once where there are none. Fails as
   * it fails.
   */
  run<T>(step: () => Answer<T>): Answer<T> {
    const result = this.#last === undefined ? step() : this.#last.then(step);
    if (result instanceof Promise) this.#follow(result);
    return result;
  }

  #follow(result: Promise<unknown>): void {
    const last: Promise<void> = result
      .catch(() => undefined)
      .then(() => {
        if (this.#last === last) this.#last = undefined;
      });
    this.#last = last;
  }
}
