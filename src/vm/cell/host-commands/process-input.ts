import { type Errno, isKernelError, POLLHUP, POLLIN, type Sys } from "../../../kernel/index.ts";
import { PIECE_BYTES } from "../../../streams/index.ts";
import { sizeOf } from "./terminal-size.ts";

/** What a read gave. The bytes are of the reader's buffer. */
export interface ReadInput {
  readonly bytes: Uint8Array;
  readonly isEnd?: boolean;
  readonly errno?: Errno;
}

/** Reads fd 0 for the host: waits for some bytes, then takes what is there. */
export class ProcessInput {
  readonly #sys: Sys;
  #buffer: Uint8Array | undefined;
  #isTerminal = false;

  constructor(sys: Sys) {
    this.#sys = sys;
  }

  /** At most so many bytes. */
  async read(mostBytes: number): Promise<ReadInput> {
    if (this.#buffer === undefined) {
      this.#buffer = new Uint8Array(PIECE_BYTES);
      this.#isTerminal = (await sizeOf(this.#sys)) !== undefined;
    }
    const buffer = this.#buffer.subarray(0, mostBytes);
    let count = 0;
    try {
      do {
        const read = await this.#readSome(buffer.subarray(count));
        if (read === 0) return { bytes: buffer.subarray(0, count), isEnd: true };
        count += read;
      } while (count < buffer.length && (await this.#hasMore()));
    } catch (error) {
      if (!isKernelError(error)) throw error;
      // What was read comes first; the next read fails again.
      if (count === 0) return this.#failure(error.errno);
    }
    return { bytes: buffer.subarray(0, count) };
  }

  /** Waits, whatever signals come and whether or not the file is O_NONBLOCK. */
  async #readSome(into: Uint8Array): Promise<number> {
    for (;;) {
      try {
        return await this.#sys.read(0, into);
      } catch (error) {
        if (isKernelError(error, "EAGAIN")) await this.#untilReadable();
        else if (!isKernelError(error, "EINTR")) throw error;
      }
    }
  }

  async #untilReadable(): Promise<void> {
    try {
      await this.#sys.poll([{ fd: 0, events: POLLIN }]);
    } catch (error) {
      if (!isKernelError(error, "EINTR")) throw error;
    }
  }

  /** A line of a terminal is passed on by itself. */
  async #hasMore(): Promise<boolean> {
    if (this.#isTerminal) return false;
    const [events = 0] = await this.#sys.poll([{ fd: 0, events: POLLIN }], 0);
    return (events & (POLLIN | POLLHUP)) !== 0;
  }

  /** A terminal that has hung up has no more input. */
  #failure(errno: Errno): ReadInput {
    const bytes = new Uint8Array(0);
    return errno === "EIO" && this.#isTerminal ? { bytes, isEnd: true } : { bytes, errno };
  }
}
