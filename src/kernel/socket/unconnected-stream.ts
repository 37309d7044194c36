import type { Errno } from "../abi/errno.ts";
import { KernelError } from "../abi/kernel-error.ts";
import { POLLERR, POLLHUP, POLLIN, POLLOUT, POLLRDHUP } from "../abi/poll.ts";
import type { StreamRules } from "./stream-rules.ts";
import type { ShutdownSides } from "./transport.ts";

/** What a stream socket says to whoever uses it while it has no connection. */
export class UnconnectedStream {
  readonly #rules: StreamRules;
  #isReadShut = false;
  #isWriteShut = false;
  #error: Errno | undefined;

  constructor(rules: StreamRules) {
    this.#rules = rules;
  }

  /** What was shut before there was a connection; it holds for the connection, too. */
  get shut(): ShutdownSides {
    return { read: this.#isReadShut, write: this.#isWriteShut };
  }

  shutdown({ read, write }: ShutdownSides): void {
    this.#isReadShut ||= read;
    this.#isWriteShut ||= write;
  }

  /** A connect has failed: a TCP socket is closed until somebody has been told. */
  refuse(errno: Errno): void {
    this.#error = errno;
    if (this.#rules.hasHandshake) this.shutdown({ read: true, write: true });
  }

  /** As new. */
  renew(): void {
    this.#isReadShut = false;
    this.#isWriteShut = false;
  }

  takeError(): Errno | undefined {
    const error = this.#error;
    this.#error = undefined;
    return error;
  }

  poll(): number {
    const isRefused = this.#error === undefined ? 0 : POLLERR;
    return POLLOUT | POLLHUP | isRefused | this.#shutEvents;
  }

  pollListening(waiting: number): number {
    const isOver = this.#isReadShut && this.#isWriteShut ? POLLHUP : 0;
    return isOver | this.#shutEvents | (waiting > 0 ? POLLIN : 0);
  }

  /** 0, the end, of a TCP socket that reads no more; else ENOTCONN, EINVAL of a unix socket. */
  receive(): number {
    const error = this.takeError();
    if (error === undefined && this.#isReadShut && this.#rules.hasHandshake) return 0;
    throw new KernelError(error ?? this.#rules.unconnectedRead);
  }

  /** EPIPE, ENOTCONN of a unix socket. */
  send(): never {
    throw new KernelError(this.takeError() ?? this.#rules.unconnectedWrite);
  }

  get #shutEvents(): number {
    return this.#isReadShut ? POLLIN | POLLRDHUP : 0;
  }
}
