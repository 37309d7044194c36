/**
 * Pipes whose other end the host holds: a command's stdin, stdout and stderr. Guests have an ordinary
 * end; the host moves bytes without ever waiting, and is told when it can move more.
 *
 * They do not count as maxPipes: the host bounds the commands it starts, and its own commands must
 * work in a VM that has used up its pipes.
 */
import { O_RDONLY, O_WRONLY } from "../abi/open-flags.ts";
import { HOST_STREAM_DEVICE } from "../abi/stat.ts";
import type { OpenFile } from "../fd/open-file.ts";
import { Pipe, pipeStat } from "./pipe.ts";
import { PipeEnd, type PipeOrigin } from "./pipe-end.ts";

export interface HostPipeParts {
  /** Shown as `pipe:[ino]`. */
  readonly ino: number;
  readonly nowMs: number;
  /** Whose it is; root's unless said otherwise. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** A power of two, at least PIPE_BUF. */
  readonly capacityBytes: number;
}

/** Not counted. */
const uncounted = { charge: (): void => undefined, discharge: (): void => undefined };

export interface FromHostEvents {
  /** A guest has read: there is more room. */
  readonly read: () => void;
  /** A guest looks for bytes, and there are none. */
  readonly starved: () => void;
  /** No guest can read any more. */
  readonly closed: () => void;
}

/** The host writes, guests read. */
export class PipeFromHost extends Pipe {
  /** The guests' end. Whoever puts it into a fd table owns it. */
  readonly readEnd: OpenFile;
  readonly #events: FromHostEvents;
  #isStarved = false;
  #hasEnded = false;

  constructor(parts: HostPipeParts, events: FromHostEvents) {
    super(uncounted, parts.capacityBytes);
    this.#events = events;
    this.addWriter();
    this.readEnd = new PipeEnd(this, O_RDONLY, originOf(parts));
  }

  /** Whether a guest has looked for bytes since the last were put in, and there were none. */
  get isStarved(): boolean {
    return this.#isStarved;
  }

  override starve(): void {
    if (this.#hasEnded) return;
    this.#isStarved = true;
    this.#events.starved();
  }

  override put(from: Uint8Array, start: number): number {
    const count = super.put(from, start);
    if (count > 0) this.#isStarved = false;
    return count;
  }

  override take(into: Uint8Array): number {
    const count = super.take(into);
    this.#events.read();
    return count;
  }

  override removeReader(): void {
    super.removeReader();
    if (this.readers === 0) this.#events.closed();
  }

  /** Guests read end of file after what was put. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.removeWriter();
    if (this.isUnused) this.close();
  }
}

export interface ToHostEvents {
  /** Guests have written so many bytes. */
  readonly written: (bytes: number) => void;
  /** No guest can write any more. */
  readonly closed: () => void;
}

/** Guests write, the host reads. */
export class PipeToHost extends Pipe {
  /** The guests' end. Whoever puts it into a fd table owns it. */
  readonly writeEnd: OpenFile;
  readonly #events: ToHostEvents;
  #hasEnded = false;

  constructor(parts: HostPipeParts, events: ToHostEvents) {
    super(uncounted, parts.capacityBytes);
    this.#events = events;
    this.addReader();
    this.writeEnd = new PipeEnd(this, O_WRONLY, originOf(parts));
  }

  override put(from: Uint8Array, start: number): number {
    const count = super.put(from, start);
    if (count > 0) this.#events.written(count);
    return count;
  }

  override removeWriter(): void {
    super.removeWriter();
    if (this.writers === 0) this.#events.closed();
  }

  /** Nobody reads any more: guests that write get EPIPE. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.removeReader();
    if (this.isUnused) this.close();
  }
}

function originOf({ ino, nowMs, owner = { uid: 0, gid: 0 } }: HostPipeParts): PipeOrigin {
  return {
    describe: () => `pipe:[${ino}]`,
    stat: async () => ({ ...pipeStat(ino, nowMs, owner), dev: HOST_STREAM_DEVICE }),
    place: undefined,
    released: undefined,
  };
}
