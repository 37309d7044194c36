/**
 * Calls that use an open file's position take turns, as under Linux's f_pos lock: each waits for the
 * one before, so that descriptors which share the file read disjoint parts of it.
 */
export class PositionLock {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `step` after the steps before it, whether these failed or not; fails as it fails. */
  run<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#last.then(step);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
