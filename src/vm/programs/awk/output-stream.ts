import { isKernelError, type Sys } from "../../../kernel/index.ts";
import { writeAll } from "../output.ts";
import { errorWords } from "../program.ts";
import { AwkFatalError } from "./awk-error.ts";
import type { Charset } from "./charset.ts";

/** Written out when this many characters have come together. */
const FULL_LENGTH = 65_536;

export interface StreamOptions {
  readonly fd: number;
  /** What messages call it. */
  readonly name: string;
  readonly charset: Charset;
  readonly onFull: () => void;
}

/** Gathers text for a fd. Adding never waits; whoever adds much flushes when `isFull`. */
export class OutputStream {
  readonly #sys: Sys;
  readonly #options: StreamOptions;
  #text = "";
  /** Shown at once: fd 2, a terminal. */
  readonly isUnbuffered: boolean;

  constructor(sys: Sys, options: StreamOptions) {
    this.#sys = sys;
    this.#options = options;
    this.isUnbuffered = options.fd === 2;
  }

  get isFull(): boolean {
    return this.#text.length >= FULL_LENGTH;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= FULL_LENGTH) this.#options.onFull();
  }

  /** Fails with an AwkFatalError. */
  async flush(): Promise<void> {
    const text = this.#text;
    if (text === "") return;
    this.#text = "";
    const { fd, name, charset } = this.#options;
    try {
      await writeAll(this.#sys, fd, charset.encode(text));
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new AwkFatalError(`print to "${name}" failed: ${errorWords(error)}`);
    }
  }

  async close(): Promise<void> {
    await this.flush();
    if (this.#options.fd > 2) await this.#sys.close(this.#options.fd);
  }
}
