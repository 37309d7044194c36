// The writes of one stream, in their order: at once where that is possible, else when there is room.
import { call } from "../channel.ts";
import { uvNumber } from "../errors.ts";
import { cancel, request } from "../requests.ts";

/** What one call to the kernel carries. */
const CALL_BYTES = 128 * 1024;
const REQUEST_BYTES = 1 << 20;

interface Job {
  /** Undefined: nothing more will be written. */
  readonly data: Uint8Array | undefined;
  readonly done: (status: number) => void;
  at: number;
}

export class StreamWrites {
  readonly #fd: () => number;
  readonly #queue: Job[] = [];
  #underWay: number | undefined;
  /** Bytes that wait. */
  size = 0;

  constructor(fd: () => number) {
    this.#fd = fd;
  }

  /** Writes what can be written at once; how much that was. Waits for all if `isBlocking`. Throws CallError. */
  writeNow(data: Uint8Array, isBlocking: boolean): number {
    if (this.#queue.length > 0) return 0;
    let at = 0;
    while (at < data.length) {
      const part = data.subarray(at, at + CALL_BYTES);
      const count: number = call(isBlocking ? "writeAll" : "tryWrite", this.#fd(), part);
      at += count;
      if (count < part.length) break;
    }
    return at;
  }

  /** `done` gets 0, or libuv's number of the errno; it runs from the event loop. */
  add(data: Uint8Array | undefined, done: (status: number) => void): void {
    this.size += data?.length ?? 0;
    this.#queue.push({ data, done, at: 0 });
    if (this.#queue.length === 1) this.#next();
  }

  #next(): void {
    const job = this.#queue[0];
    if (job === undefined) return;
    const { data, at } = job;
    const end = Math.min(data?.length ?? 0, at + REQUEST_BYTES);
    const [name, args] =
      data === undefined
        ? ["shutdownWrite", [this.#fd()]]
        : ["writeAll", [this.#fd(), data.subarray(at, end)]];
    this.#underWay = request(name as string, args as never[], (error) => {
      this.#underWay = undefined;
      this.size -= end - at;
      job.at = end;
      if (error === undefined && end < (data?.length ?? 0)) return this.#next();
      this.size -= (data?.length ?? 0) - end;
      this.#queue.shift();
      this.#next();
      job.done(error === undefined ? 0 : uvNumber(error.code));
    });
  }

  /** The stream is closed: what has not been written will not be. Those who wait for it are the answer. */
  cancelAll(): readonly ((status: number) => void)[] {
    if (this.#underWay !== undefined) cancel(this.#underWay);
    this.#underWay = undefined;
    this.size = 0;
    return this.#queue.splice(0).map(({ done }) => done);
  }
}
