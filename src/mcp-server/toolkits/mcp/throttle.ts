import type { Readable } from "node:stream";

/** What a server may say in a second before it is read no further in that second. */
const messagesPerSecond = 2000;
const bytesPerSecond = 64 * 1024 * 1024;

/**
 * Keeps a server that floods (notifications, requests, garbage) from taking the time of all others: past
 * the limit its stream is paused until the second is over, so that the server meets a full pipe.
 */
export class Throttle {
  readonly #stream: Readable;
  #count = 0;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: Readable) {
    this.#stream = stream;
  }

  /** It is asked for a message: that one does not count. */
  allowOneMore(): void {
    this.#count--;
  }

  /** One more message came. */
  count(bytes: number): void {
    this.#timer ??= setTimeout(() => this.#renew(), 1000).unref();
    this.#count++;
    this.#bytes += bytes;
    const isTooMuch = this.#count >= messagesPerSecond || this.#bytes >= bytesPerSecond;
    if (isTooMuch) this.#stream.pause();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stream.resume();
  }

  #renew(): void {
    this.#timer = undefined;
    this.#count = 0;
    this.#bytes = 0;
    this.#stream.resume();
  }
}
