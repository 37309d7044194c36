import { KernelError } from "../../../kernel/index.ts";

/** Calls that nobody waits for any more and that go on all the same. */
const ABANDONED_LIMIT = 16;

/**
 * Has each call answer in time, or fail with ETIMEDOUT: a mount that hangs must not hang the VM. While too
 * many calls go on that nobody waits for, none is begun: EIO.
 */
export class AnswerInTime {
  readonly #limitMs: number;
  #abandoned = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  async answer<T>(call: () => Promise<T>): Promise<T> {
    if (this.#abandoned >= ABANDONED_LIMIT) {
      throw new KernelError("EIO", undefined, "what is mounted here does not answer");
    }
    let isAbandoned = false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isAbandoned = true;
        this.#abandoned += 1;
        reject(new KernelError("ETIMEDOUT"));
      }, this.#limitMs);
    });
    const answered = call().finally(() => {
      clearTimeout(timer);
      if (isAbandoned) this.#abandoned -= 1;
    });
    return Promise.race([answered, late]);
  }
}
