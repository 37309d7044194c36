import { isKernelError, KernelError } from "../abi/kernel-error.ts";
import { POLLERR, POLLHUP, POLLIN, POLLOUT } from "../abi/poll.ts";
import type { Stat } from "../abi/stat.ts";
import type { IoctlAnswer, IoctlRequest } from "../abi/terminal.ts";
import { OpenFile } from "../fd/open-file.ts";
import type { Waiter, WaitQueue } from "../fd/wait-queue.ts";
import type { Place } from "../vfs/place.ts";
import type { Pipe } from "./pipe.ts";

/** What a pipe's end shows as its file: an anonymous pipe, or a FIFO in the tree. */
export interface PipeOrigin {
  describe(): string;
  stat(): Promise<Stat>;
  readonly place: Place | undefined;
  /** Called when this end is released. */
  readonly released: (() => void) | undefined;
}

/**
 * One end of a pipe: it reads, writes, or (a FIFO opened O_RDWR) does both.
 *
 * A write to a pipe without readers fails with EPIPE; raising SIGPIPE is the system call's part.
 * With O_NONBLOCK, what would wait fails with EAGAIN.
 */
export class PipeEnd extends OpenFile {
  readonly #pipe: Pipe;
  readonly #origin: PipeOrigin;
  /** How many writers there had been when it was opened: no hang-up before one has come. */
  readonly #writersBefore: number;

  /** Counts itself in the pipe. */
  constructor(pipe: Pipe, flags: number, origin: PipeOrigin) {
    super(flags);
    this.#pipe = pipe;
    this.#origin = origin;
    this.#writersBefore = pipe.writersEver - pipe.writers;
    if (this.isReadable) pipe.addReader();
    if (this.isWritable) pipe.addWriter();
  }

  override describe(): string {
    return this.#origin.describe();
  }

  override stat(): Promise<Stat> {
    return this.#origin.stat();
  }

  override get place(): Place | undefined {
    return this.#origin.place;
  }

  override read(into: Uint8Array, waiter: Waiter): Promise<number> {
    return this.#take(into, undefined, waiter);
  }

  override readThrough(into: Uint8Array, delimiter: number, waiter: Waiter): Promise<number> {
    return this.#take(into, delimiter, waiter);
  }

  /**
   * Waits until all of `from` is in the pipe. Short only after a signal or with O_NONBLOCK.
   *
   * Deviation: when the last reader leaves in the middle, it fails with EPIPE; Linux answers the
   * count so far and raises SIGPIPE as well. Here the signal goes with the errno.
   */
  override async write(from: Uint8Array, waiter: Waiter): Promise<number> {
    if (!this.isWritable) throw new KernelError("EBADF");
    if (from.length === 0) return 0;
    const pipe = this.#pipe;
    if (pipe.readers === 0) throw new KernelError("EPIPE");
    if (this.isNonBlocking) return this.#writeNow(from);
    const written = pipe.hasLine ? 0 : this.#putAll(from, 0);
    return written === from.length ? written : this.#writeRest(from, written, waiter);
  }

  override async ioctl(request: IoctlRequest): Promise<IoctlAnswer> {
    if (request.request === "FIONREAD") {
      if (this.#pipe.bytes.size === 0) this.#pipe.starve();
      return this.#pipe.bytes.size;
    }
    throw new KernelError("ENOTTY");
  }

  override poll(): number {
    const pipe = this.#pipe;
    let events = 0;
    if (this.isReadable) {
      if (pipe.bytes.size > 0) events |= POLLIN;
      else pipe.starve();
      if (pipe.writers === 0 && pipe.writersEver > this.#writersBefore) events |= POLLHUP;
    }
    if (this.isWritable) {
      if (pipe.hasRoom) events |= POLLOUT;
      if (pipe.readers === 0) events |= POLLERR;
    }
    return events;
  }

  override get changed(): WaitQueue {
    const pipe = this.#pipe;
    if (this.isReadable && this.isWritable) return pipe.either;
    return this.isReadable ? pipe.readable : pipe.writable;
  }

  async #take(into: Uint8Array, through: number | undefined, waiter: Waiter): Promise<number> {
    if (!this.isReadable) throw new KernelError("EBADF");
    const pipe = this.#pipe;
    if (into.length === 0) return 0;
    while (pipe.bytes.size === 0) {
      if (pipe.writers === 0) return 0;
      pipe.starve();
      if (this.isNonBlocking) throw new KernelError("EAGAIN");
      await waiter.wait(pipe.readable);
    }
    if (through === undefined) return pipe.take(into);
    return pipe.take(into.subarray(0, pipe.bytes.countThrough(through)));
  }

  /** As much as goes in now: a reader at the host may take bytes while they are put. Answers how far it got. */
  #putAll(from: Uint8Array, start: number): number {
    let at = start;
    while (at < from.length) {
      const count = this.#pipe.put(from, at);
      if (count === 0) break;
      at += count;
    }
    return at;
  }

  #writeNow(from: Uint8Array): number {
    const written = this.#putAll(from, 0);
    if (written === 0) throw new KernelError("EAGAIN");
    return written;
  }

  /** The part of a write that waits. */
  async #writeRest(from: Uint8Array, already: number, waiter: Waiter): Promise<number> {
    const pipe = this.#pipe;
    const ticket = {};
    let written = already;
    let hasProgressed = false;
    try {
      for (;;) {
        pipe.standInLine(ticket, hasProgressed);
        await waiter.wait(pipe.writable);
        if (pipe.readers === 0) throw new KernelError("EPIPE");
        const before = written;
        if (pipe.isTurnOf(ticket)) written = this.#putAll(from, written);
        if (written === from.length) return written;
        hasProgressed = written > before;
      }
    } catch (error) {
      if (written > 0 && isKernelError(error, "EINTR")) return written;
      throw error;
    } finally {
      pipe.leaveLine(ticket);
    }
  }

  protected override release(): void {
    const pipe = this.#pipe;
    if (this.isReadable) pipe.removeReader();
    if (this.isWritable) pipe.removeWriter();
    if (pipe.isUnused) pipe.close();
    this.#origin.released?.();
  }
}
