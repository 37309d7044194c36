import { type HostPipeParts, type OpenFile, PipeFromHost } from "../../kernel/index.ts";
import type { StreamReceiver } from "../../streams/index.ts";

/** The stdin of a command that the host started: a pipe, filled from the command's stream as it is read. */
export class CommandInput {
  readonly #pipe: PipeFromHost;
  /** Called when there is room, or no reader left. */
  #wake: (() => void) | undefined;

  constructor(incoming: StreamReceiver, parts: HostPipeParts) {
    const wake = (): void => {
      const waiting = this.#wake;
      this.#wake = undefined;
      waiting?.();
    };
    this.#pipe = new PipeFromHost(parts, {
      read: wake,
      closed: () => {
        incoming.stop();
        wake();
      },
    });
    incoming.consume({
      take: (bytes) => this.#take(bytes),
      ended: () => this.#pipe.end(),
      failed: () => this.#pipe.end(),
    });
  }

  /** What the command reads. */
  get file(): OpenFile {
    return this.#pipe.readEnd;
  }

  /** A promise only where the pipe is full. */
  #take(bytes: Uint8Array): void | Promise<void> {
    const done = this.#pipe.put(bytes, 0);
    if (done === bytes.length) return undefined;
    return this.#putRest(bytes.slice(done));
  }

  async #putRest(rest: Uint8Array): Promise<void> {
    for (let done = 0; done < rest.length && this.#pipe.readers > 0; ) {
      done += this.#pipe.put(rest, done);
      if (done === rest.length) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
