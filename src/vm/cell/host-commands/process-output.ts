import { type Errno, isKernelError, POLLOUT, type Sys } from "../../../kernel/index.ts";
import type { CommandEvents, CommandStream } from "../../wire/command-requests.ts";

const fds: { readonly [S in CommandStream]: number } = { out: 1, error: 2 };

interface OutputEnds {
  readonly setRaw: (isRaw: boolean) => Promise<void>;
  /** Nothing more can be written there. */
  readonly failed: (to: CommandStream, errno: Errno) => void;
}

/** Writes what the host sends to fd 1 and fd 2, each until a write fails. */
export class ProcessOutput {
  readonly #sys: Sys;
  readonly #ends: OutputEnds;
  readonly #failed = new Map<CommandStream, Errno>();

  constructor(sys: Sys, ends: OutputEnds) {
    this.#sys = sys;
    this.#ends = ends;
  }

  failureOf(to: CommandStream): Errno | undefined {
    return this.#failed.get(to);
  }

  /** Waits while the readers do not read. */
  async write(parts: CommandEvents["parts"], body: Uint8Array): Promise<void> {
    let at = 0;
    for (const part of parts) {
      if ("isRaw" in part) {
        await this.#ends.setRaw(part.isRaw);
        continue;
      }
      await this.#writeTo(part.to, body.subarray(at, at + part.bytes));
      at += part.bytes;
    }
  }

  async #writeTo(to: CommandStream, bytes: Uint8Array): Promise<void> {
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
    this.#ends.failed(to, errno);
  }
}
