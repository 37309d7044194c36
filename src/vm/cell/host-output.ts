import {
  HOST_STREAM_DEVICE,
  isKernelError,
  KernelError,
  O_WRONLY,
  OpenFile,
  POLLOUT,
  type Stat,
  type Waiter,
  WaitQueue,
} from "../../kernel/index.ts";
import { CHUNK_BYTES, STREAM_WINDOW_BYTES } from "../wire/messages.ts";

/** What the outputs of one command share: which of them holds bytes that are not sent yet. */
export interface OutputOrder {
  holder: HostOutput | undefined;
}

/**
 * The stdout or stderr of a command that the host started: what a guest writes goes to the server.
 *
 * Small writes are gathered until the kernel's turn ends, or until the command's other output is
 * written to: bytes leave in the order they were written in, across both. A guest that writes
 * faster than the server takes waits here, as on a full pipe.
 */
export class HostOutput extends OpenFile {
  readonly #send: (bytes: Uint8Array) => void;
  readonly #later: (flush: () => void) => void;
  readonly #released: () => void;
  readonly #order: OutputOrder;
  readonly #stat: Stat;
  readonly #changed = new WaitQueue();
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #isFlushPlanned = false;
  /** Sent and not yet taken. */
  #underWay = 0;

  constructor(options: {
    readonly ino: number;
    readonly nowMs: number;
    readonly send: (bytes: Uint8Array) => void;
    readonly later: (flush: () => void) => void;
    /** Shared with the command's other output, where it has one. */
    readonly order?: OutputOrder;
    /** Nobody can write to it any more. */
    readonly released: () => void;
  }) {
    super(O_WRONLY);
    this.#send = options.send;
    this.#later = options.later;
    this.#released = options.released;
    this.#order = options.order ?? { holder: undefined };
    this.#stat = pipeStat(options.ino, options.nowMs);
  }

  override describe(): string {
    return `pipe:[${this.#stat.ino}]`;
  }

  override async stat(): Promise<Stat> {
    return this.#stat;
  }

  override async write(from: Uint8Array, waiter: Waiter): Promise<number> {
    let done = 0;
    while (done < from.length) {
      const room = STREAM_WINDOW_BYTES - this.#underWay - this.#gatheredBytes;
      if (room > 0) {
        const part = from.subarray(done, done + Math.min(room, CHUNK_BYTES));
        this.#gather(part);
        done += part.length;
        continue;
      }
      if (this.isNonBlocking) {
        if (done > 0) break;
        throw new KernelError("EAGAIN");
      }
      try {
        await waiter.wait(this.#changed);
      } catch (error) {
        // A signal cuts a write short; it fails only when nothing has gone in.
        if (done > 0 && isKernelError(error, "EINTR")) break;
        throw error;
      }
    }
    return done;
  }

  override poll(): number {
    return STREAM_WINDOW_BYTES > this.#underWay + this.#gatheredBytes ? POLLOUT : 0;
  }

  override get changed(): WaitQueue {
    return this.#changed;
  }

  /** The server has taken that much. */
  addCredit(bytes: number): void {
    this.#underWay = Math.max(0, this.#underWay - bytes);
    this.#changed.wakeAll();
  }

  /** Sends what has been gathered. */
  flush(): void {
    this.#isFlushPlanned = false;
    if (this.#gatheredBytes === 0) return;
    const parts = this.#gathered;
    const size = this.#gatheredBytes;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#underWay += size;
    this.#send(parts.length === 1 && parts[0] !== undefined ? parts[0] : concatenate(parts, size));
  }

  protected override release(): void {
    this.flush();
    this.#released();
  }

  #gather(part: Uint8Array): void {
    if (this.#order.holder !== this) {
      this.#order.holder?.flush();
      this.#order.holder = this;
    }
    this.#gathered.push(part.slice());
    this.#gatheredBytes += part.length;
    if (this.#gatheredBytes >= CHUNK_BYTES) {
      this.flush();
    } else if (!this.#isFlushPlanned) {
      this.#isFlushPlanned = true;
      this.#later(() => this.flush());
    }
  }
}

/** What fstat shows of a stream that leaves the VM: a pipe. */
export function pipeStat(ino: number, nowMs: number): Stat {
  return {
    kind: "fifo",
    mode: 0o600,
    uid: 0,
    gid: 0,
    size: 0,
    nlink: 1,
    ino,
    dev: HOST_STREAM_DEVICE,
    rdev: 0,
    blocks: 0,
    atimeMs: nowMs,
    mtimeMs: nowMs,
    ctimeMs: nowMs,
  };
}

function concatenate(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
