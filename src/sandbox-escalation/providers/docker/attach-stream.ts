import { Duplex } from "node:stream";

/**
 * A container's stdin and stdout on one connection. What it writes comes in frames of stdout and stderr (a
 * byte that says which, three of 0, the length); stderr is dropped.
 */
export class AttachStream extends Duplex {
  readonly #socket: Duplex;
  /** Bytes of a header that are there so far. */
  #header: number[] = [];
  #isOutput = false;
  #left = 0;

  constructor(socket: Duplex, head: Uint8Array) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    socket.on("data", (bytes: Uint8Array) => this.#take(bytes));
    socket.on("end", () => this.push(null));
    socket.on("error", () => this.destroy());
    socket.on("close", () => this.destroy());
    if (head.length > 0) this.#take(head);
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(
    chunk: Uint8Array,
    _encoding: string,
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #take(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const part = bytes.subarray(at, at + this.#left);
        this.#left -= part.length;
        at += part.length;
        if (this.#isOutput && !this.push(part)) this.#socket.pause();
      } else {
        this.#header.push(bytes[at] ?? 0);
        at += 1;
        this.#readHeader();
      }
    }
  }

  #readHeader(): void {
    if (this.#header.length < HEADER_BYTES) return;
    this.#isOutput = this.#header[0] === STDOUT;
    this.#left = Buffer.from(this.#header).readUInt32BE(4);
    this.#header = [];
  }
}

const HEADER_BYTES = 8;
const STDOUT = 1;
