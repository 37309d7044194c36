import { Duplex } from "node:stream";

/**
 * The two ends of a wire within one process. What is written at one end is read at the other, as a
 * copy, and waits while the other does not read. The end of one side is the end of the other.
 */
export function makeWirePair(): readonly [Duplex, Duplex] {
  const one: WireEnd = new WireEnd(() => other);
  const other: WireEnd = new WireEnd(() => one);
  return [one, other];
}

class WireEnd extends Duplex {
  readonly #peer: () => WireEnd;
  /** Lets our writer go on; called when the peer reads. */
  #taken: (() => void) | undefined;

  constructor(peer: () => WireEnd) {
    super();
    this.#peer = peer;
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.#taken = done;
    this.#peer().push(Uint8Array.from(chunk));
  }

  override _writev(chunks: readonly { readonly chunk: Uint8Array }[], done: () => void): void {
    this.#taken = done;
    this.#peer().push(Buffer.concat(chunks.map(({ chunk }) => chunk)));
  }

  override _final(done: () => void): void {
    this.#peer().push(null);
    done();
  }

  override _read(): void {
    this.#peer().#take();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    done(error);
    const peer = this.#peer();
    if (!peer.destroyed) peer.push(null);
  }

  #take(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.();
  }
}
