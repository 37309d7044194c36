import { isKernelError, O_CLOEXEC, O_RDONLY, type Sys } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { errorWords } from "../program.ts";
import { quoteFile, quoteText } from "../quote-text.ts";

const BUFFER_BYTES = 4096;

/**
 * Numbers from random bytes, as GNU's randint makes them: what a choice leaves over goes into the
 * next. The same bytes give the same numbers.
 */
export class RandomNumbers {
  readonly #sys: Sys;
  readonly #file: string | undefined;
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #fd = -1;
  #at = 0;
  #end = 0;
  #number = 0;
  #most = 0;

  /** `file` is where the bytes come from; the kernel's own if there is none. */
  constructor(sys: Sys, file: string | undefined) {
    this.#sys = sys;
    this.#file = file;
  }

  /** Fails with a UsageError. */
  async open(): Promise<void> {
    if (this.#file === undefined) return;
    try {
      this.#fd = await this.#sys.open(this.#file, O_RDONLY | O_CLOEXEC);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new UsageError(`${quoteFile(this.#file)}: ${errorWords(error)}`, { hasHint: false });
    }
  }

  /** One of 0 to `choices` - 1; at most 2^44 of them. */
  async choose(choices: number): Promise<number> {
    const largest = choices - 1;
    for (;;) {
      while (this.#most < largest) {
        if (this.#at === this.#end) await this.#fill();
        this.#number = this.#number * 256 + (this.#buffer[this.#at++] ?? 0);
        this.#most = this.#most * 256 + 255;
      }
      if (this.#most === largest) {
        const chosen = this.#number;
        this.#number = 0;
        this.#most = 0;
        return chosen;
      }
      const excess = this.#most - largest;
      const unusable = excess % choices;
      const lastUsable = this.#most - unusable;
      if (this.#number <= lastUsable) {
        const chosen = this.#number % choices;
        this.#number = Math.floor(this.#number / choices);
        this.#most = Math.floor(excess / choices);
        return chosen;
      }
      this.#number -= lastUsable + 1;
      this.#most = unusable - 1;
    }
  }

  async #fill(): Promise<void> {
    this.#at = 0;
    if (this.#file === undefined) {
      await this.#sys.getrandom(this.#buffer);
      this.#end = this.#buffer.length;
      return;
    }
    this.#end = await this.#sys.read(this.#fd, this.#buffer);
    if (this.#end === 0)
      throw new UsageError(`${quoteText(this.#file)}: end of file`, { hasHint: false });
  }
}
