import type { Errno } from "../abi/errno.ts";
import { KernelError } from "../abi/kernel-error.ts";
import { POLLERR, POLLHUP, POLLIN, POLLOUT, POLLRDHUP } from "../abi/poll.ts";
import type { SocketAddress } from "../abi/socket.ts";
import type { WaitQueue } from "../fd/wait-queue.ts";
import { SocketBuffer } from "./socket-buffer.ts";
import type { SocketMemory } from "./socket-memory.ts";
import type { StreamRules } from "./stream-rules.ts";

/** Room that POLLOUT promises. */
const WRITABLE_BYTES = 4096;

export interface EndParts {
  readonly rules: StreamRules;
  readonly memory: SocketMemory;
  /** Woken whenever a call on this end may go on. */
  readonly changed: WaitQueue;
  /** Its own name and the other's, as this end sees them. */
  readonly local: SocketAddress;
  readonly peer: SocketAddress;
}

/** Joins two ends; `gone` is called once both have been released. */
export function joinEnds(one: ConnectionEnd, other: ConnectionEnd, gone: () => void): void {
  one.join(other, gone);
  other.join(one, gone);
}

/** One end of a connection: the bytes that came for it, and what it knows of the other. */
export class ConnectionEnd {
  readonly changed: WaitQueue;
  readonly local: SocketAddress;
  readonly peer: SocketAddress;
  readonly #rules: StreamRules;
  readonly #memory: SocketMemory;
  readonly #buffer: SocketBuffer;
  #other: ConnectionEnd | undefined;
  #gone: () => void = () => undefined;
  /** The other end sends no more. */
  #hasEnd = false;
  #isReadShut = false;
  #isWriteShut = false;
  /** The connection has been broken off: nothing goes in or comes any more. */
  #isReset = false;
  #isReleased = false;
  #isWatchingMemory = false;
  #error: Errno | undefined;

  constructor({ rules, memory, changed, local, peer }: EndParts) {
    this.#rules = rules;
    this.#memory = memory;
    this.#buffer = new SocketBuffer(memory);
    this.changed = changed;
    this.local = local;
    this.peer = peer;
  }

  join(other: ConnectionEnd, gone: () => void): void {
    this.#other = other;
    this.#gone = gone;
  }

  get readableBytes(): number {
    return this.#buffer.size;
  }

  /** Bytes this end has sent and the other has not read. */
  get unreadBytes(): number {
    return this.#other?.readableBytes ?? 0;
  }

  /** For /proc/net/tcp. */
  get state(): "established" | "close-wait" | "fin-wait" | "closed" {
    if (this.#isReset) return "closed";
    const hasSentEnd = this.#other !== undefined && this.#other.#hasEnd;
    if (this.#hasEnd) return hasSentEnd ? "closed" : "close-wait";
    return hasSentEnd ? "fin-wait" : "established";
  }

  /** Whether the next write fails. */
  get isBroken(): boolean {
    if (this.#isWriteShut || this.#isReset) return true;
    return this.#error !== undefined && !this.#rules.tellsWriters;
  }

  /** SO_ERROR: what has happened meanwhile, told once. */
  takeError(): Errno | undefined {
    const error = this.#error;
    this.#error = undefined;
    return error;
  }

  /**
   * The count, 0 at the end; undefined while there is nothing. What came before the other end left
   * is read first, then ECONNRESET comes once where it left with bytes unread.
   */
  receive(into: Uint8Array, isPeeking: boolean): number | undefined {
    if (this.#buffer.size > 0) {
      const count = this.#buffer.take(into, isPeeking);
      if (!isPeeking) this.#other?.changed.wakeAll();
      return count;
    }
    const isToldByEnd = this.#hasEnd && !this.#rules.tellsWriters;
    if (this.#error !== undefined && !isToldByEnd) this.#fail();
    return this.#hasEnd || this.#isReadShut || this.#isReset ? 0 : undefined;
  }

  /** How much of `from` from `start` on was taken, 0 without room. EPIPE, ECONNRESET. */
  send(from: Uint8Array, start: number): number {
    if (this.#error !== undefined && !this.#rules.tellsWriters) this.#fail();
    if (this.#isWriteShut || this.#isReset) throw new KernelError("EPIPE");
    const other = this.#other;
    if (other === undefined) throw new KernelError("EPIPE");
    if (this.#rules.tellsWriters && other.#isReadShut) throw new KernelError("EPIPE");
    if (other.#isReleased) {
      this.#reset();
      return from.length - start;
    }
    if (!this.#rules.tellsWriters && other.#isReadShut && this.#hasEnd) {
      // Nobody will ever read it: Linux breaks the connection off at both ends.
      other.#reset();
      this.#reset();
      return from.length - start;
    }
    const count = other.#buffer.push(from, start);
    if (count > 0) other.changed.wakeAll();
    else this.#watchMemory();
    return count;
  }

  shutdown({ read, write }: { readonly read: boolean; readonly write: boolean }): void {
    const other = this.#other;
    this.inherit({ read, write });
    if (other === undefined) return;
    if (write) other.#hasEnd = true;
    if (read && this.#rules.tellsWriters) other.#isWriteShut = true;
    other.changed.wakeAll();
  }

  /** What was shut before there was a connection, of which the other end is not told. */
  inherit({ read, write }: { readonly read: boolean; readonly write: boolean }): void {
    this.#isReadShut ||= read;
    this.#isWriteShut ||= write;
    this.changed.wakeAll();
  }

  poll(): number {
    const isReadEnd = this.#hasEnd || this.#isReadShut || this.#isReset;
    const isWriteEnd = this.#isWriteShut || this.#isReset;
    let events = isReadEnd ? POLLIN | POLLRDHUP : 0;
    if (this.#buffer.size > 0) events |= POLLIN;
    if (isWriteEnd || this.#hasRoom()) events |= POLLOUT;
    if (isReadEnd && isWriteEnd) events |= POLLHUP;
    if (this.#error !== undefined) events |= POLLERR;
    return events;
  }

  /** Leaves. With bytes unread, or when `breaksOff`, the other end is told by ECONNRESET. */
  release(breaksOff: boolean): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const isUnread = this.#buffer.size > 0;
    this.#buffer.clear();
    const other = this.#other;
    if (other === undefined || other.#isReleased) {
      this.#gone();
      return;
    }
    if (this.#rules.tellsWriters) {
      if (isUnread || breaksOff) other.#error = "ECONNRESET";
      other.#isWriteShut = true;
    } else if (isUnread || breaksOff) {
      other.#reset();
    }
    other.#hasEnd ||= !other.#isReset;
    other.changed.wakeAll();
  }

  /** After the other's end a reset says that nobody reads, see tcp_reset() of Linux. */
  #reset(): void {
    if (this.#isReset) return;
    this.#error = this.#hasEnd ? "EPIPE" : "ECONNRESET";
    this.#isReset = true;
    this.changed.wakeAll();
  }

  #fail(): never {
    throw new KernelError(this.takeError() ?? "EPIPE");
  }

  #hasRoom(): boolean {
    const other = this.#other;
    if (other === undefined || other.#isReleased) return true;
    const hasRoom = other.#buffer.roomBytes >= WRITABLE_BYTES;
    if (!hasRoom) this.#watchMemory();
    return hasRoom;
  }

  /** Where the VM's socket memory is short, this end is woken when some is given back. */
  #watchMemory(): void {
    if (this.#isWatchingMemory || this.#memory.roomBytes >= WRITABLE_BYTES) return;
    this.#isWatchingMemory = true;
    this.#memory.freed.add(() => {
      this.#isWatchingMemory = false;
      this.changed.wakeAll();
    });
  }
}
