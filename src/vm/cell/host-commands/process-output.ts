import { type Errno, isKernelError, POLLOUT, type Sys } from "../../../kernel/index.ts";
import type { CommandStream } from "../../wire/messages.ts";

const fds: { readonly [S in CommandStream]: number } = { out: 1, error: 2 };

/** Writes what the host sends to fd 1 and fd 2, each until a write fails. */
export class ProcessOutput {
  readonly #sys: Sys;
  readonly #onFailure: (to: CommandStream, errno: Errno) => void;
  readonly #failed = new Map<CommandStream, Errno>();

  /** `onFailure` is told once that nothing more can be written there. */
  constructor(sys: Sys, onFailure: (to: CommandStream, errno: Errno) => void) {
    this.#sys = sys;
    this.#onFailure = onFailure;
  }

  failureOf(to: CommandStream): Errno | undefined {
    return this.#failed.get(to);
  }

  /** Waits while the readers do not read. What cannot be written is dropped. */
  async write(to: CommandStream, bytes: Uint8Array): Promise<void> {
    const fd = fds[to];
    for (let done = 0; done < bytes.length && !this.#failed.has(to); ) {
      try {
        done += await this.#sys.write(fd, bytes.subarray(done));
      } catch (error) {
        if (!isKernelError(error)) throw error;
        if (error.errno === "EAGAIN") await this.#untilWritable(fd);
        else if (error.errno !== "EINTR") this.#fail(to, error.errno);
      }
    }
  }

  async #untilWritable(fd: number): Promise<void> {
    try {
      await this.#sys.poll([{ fd, events: POLLOUT }]);
    } catch (error) {
      if (!isKernelError(error, "EINTR")) throw error;
    }
  }

  #fail(to: CommandStream, errno: Errno): void {
    this.#failed.set(to, errno);
    this.#onFailure(to, errno);
  }
}
