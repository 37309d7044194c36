import { isKernelError, O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import { errorWords, type Run } from "../program.ts";
import { quoteFile } from "../quote-text.ts";

const CHUNK_BYTES = 65_536;

/** Several files as one input; what cannot be read is said and left out. */
export class CombinedInput {
  readonly #run: Run;
  readonly #names: string[];
  readonly #failsAtReading: boolean;
  readonly #buffer = new Uint8Array(CHUNK_BYTES);
  #fd: number | undefined;
  #name = "";
  #start = 0;
  #end = 0;

  /** Bytes that may still be read; what follows is left to others. */
  left = Number.POSITIVE_INFINITY;

  /** `failsAtReading` is whether what can be opened and not read makes the status 1. */
  constructor(run: Run, names: readonly string[], failsAtReading = true) {
    this.#run = run;
    this.#failsAtReading = failsAtReading;
    this.#names = names.length === 0 ? ["-"] : [...names];
  }

  /** Opens the first file that can be; false when there is none. */
  start(): Promise<boolean> {
    return this.#open();
  }

  /** Leaves out the first bytes; false when there are fewer. */
  async skip(count: number): Promise<boolean> {
    return (await this.skipUpTo(count)) === count;
  }

  /** Leaves out the first bytes, as many as there are; answers how many. */
  async skipUpTo(count: number): Promise<number> {
    let left = count;
    while (left > 0 && (await this.#more())) {
      const taken = Math.min(left, this.#end - this.#start);
      this.#start += taken;
      left -= taken;
    }
    return count - left;
  }

  /** As many bytes as there are, up to the size of `into`. */
  async fill(into: Uint8Array): Promise<number> {
    let length = 0;
    while (length < into.length) {
      if (this.#start === this.#end && !(await this.#more())) break;
      const taken = Math.min(into.length - length, this.#end - this.#start);
      into.set(this.#buffer.subarray(this.#start, this.#start + taken), length);
      this.#start += taken;
      length += taken;
    }
    return length;
  }

  /** The next byte; -1 at the end. */
  async byte(): Promise<number> {
    if (this.#start === this.#end && !(await this.#more())) return -1;
    return this.#buffer[this.#start++] ?? -1;
  }

  async #more(): Promise<boolean> {
    if (this.#start < this.#end) return true;
    for (;;) {
      if (this.#fd === undefined && !(await this.#open())) return false;
      const count = await this.#read();
      if (count > 0) {
        this.#start = 0;
        this.#end = count;
        return true;
      }
      if (this.#fd !== undefined && this.#fd !== 0) await this.#run.sys.close(this.#fd);
      this.#fd = undefined;
    }
  }

  async #read(): Promise<number> {
    if (this.#fd === undefined) return 0;
    try {
      const count = await this.#run.sys.read(this.#fd, this.#buffer.subarray(0, this.left));
      this.left -= count;
      return count;
    } catch (error) {
      const { status } = this.#run;
      await this.#complain(error);
      if (!this.#failsAtReading) this.#run.status = status;
      return 0;
    }
  }

  async #open(): Promise<boolean> {
    for (;;) {
      const name = this.#names.shift();
      if (name === undefined) return false;
      this.#name = name;
      if (name === "-") {
        this.#fd = 0;
        return true;
      }
      try {
        this.#fd = await this.#run.sys.open(name, O_RDONLY | O_CLOEXEC);
        return true;
      } catch (error) {
        await this.#complain(error);
      }
    }
  }

  async #complain(error: unknown): Promise<void> {
    if (!isKernelError(error)) throw error;
    await this.#run.out.flush();
    const name = this.#name === "-" ? "standard input" : quoteFile(this.#name);
    await this.#run.fail(`${name}: ${errorWords(error)}`);
  }
}
