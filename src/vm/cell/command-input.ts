import { type HostPipeParts, type OpenFile, PipeFromHost } from "../../kernel/index.ts";
import type { StreamReceiver } from "../../streams/index.ts";

/** The stdin of a command that the host started: a pipe, filled from the command's stream as it is read. */
export class CommandInput {
  readonly #pipe: PipeFromHost;
  /** Called at every change: a guest has read, found nothing, or is gone; the input has ended. */
  #wakeAll: (() => void)[] = [];
  /** Input has come that the pipe has no room for. */
  #isPutting = false;
  #hasEnded = false;

  constructor(incoming: StreamReceiver, parts: HostPipeParts) {
    const changed = (): void => this.#changed();
    const closed = (): void => {
      incoming.stop();
      changed();
    };
    this.#pipe = new PipeFromHost(parts, { read: changed, starved: changed, closed });
    incoming.consume({
      take: (bytes) => this.#take(bytes),
      ended: () => this.#end(),
      failed: () => this.#end(),
    });
  }

  /** What the command reads. */
  get file(): OpenFile {
    return this.#pipe.readEnd;
  }

  /** Resolves once a guest has looked for more than has come, or nobody will read any more. */
  async demand(): Promise<void> {
    while (!this.#isDemanded) await this.#untilChange();
  }

  get #isDemanded(): boolean {
    if (this.#hasEnded || this.#pipe.readers === 0) return true;
    return this.#pipe.isStarved && !this.#isPutting;
  }

  #end(): void {
    this.#hasEnded = true;
    this.#pipe.end();
    this.#changed();
  }

  /** A promise only where the pipe is full. */
  #take(bytes: Uint8Array): void | Promise<void> {
    const done = this.#pipe.put(bytes, 0);
    if (done === bytes.length) return undefined;
    return this.#putRest(bytes.slice(done));
  }

  async #putRest(rest: Uint8Array): Promise<void> {
    this.#isPutting = true;
    for (let done = 0; done < rest.length && this.#pipe.readers > 0; ) {
      done += this.#pipe.put(rest, done);
      if (done < rest.length) await this.#untilChange();
    }
    this.#isPutting = false;
  }

  #untilChange(): Promise<void> {
    return new Promise((resolve) => this.#wakeAll.push(resolve));
  }

  #changed(): void {
    const waiting = this.#wakeAll;
    if (waiting.length === 0) return;
    this.#wakeAll = [];
    for (const wake of waiting) wake();
  }
}
