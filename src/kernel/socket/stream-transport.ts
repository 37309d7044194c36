import type { Errno } from "../abi/errno.ts";
import { isKernelError, KernelError } from "../abi/kernel-error.ts";
import { POLLERR, POLLHUP, POLLIN, POLLOUT, POLLRDHUP } from "../abi/poll.ts";
import type { SocketAddress } from "../abi/socket.ts";
import { WaitQueue } from "../fd/wait-queue.ts";
import type { ConnectionEnd } from "./connection-end.ts";
import { type Attempt, Listener } from "./listener.ts";
import type { SocketName } from "./socket-name.ts";
import type { SocketOptions } from "./socket-options.ts";
import type { StreamRules } from "./stream-rules.ts";
import type {
  Received,
  ReceiveOptions,
  ShutdownSides,
  TransferOptions,
  Transport,
} from "./transport.ts";

/** Whom a connect calls. */
export interface StreamTarget {
  /** Undefined where nobody listens. */
  readonly listener: Listener | undefined;
  /** Makes both ends; answers the caller's and the listener's. Fails with EAGAIN at the limit. */
  makeEnds(changed: WaitQueue): {
    readonly caller: ConnectionEnd;
    readonly listener: ConnectionEnd;
  };
}

export interface StreamParts {
  readonly rules: StreamRules;
  readonly options: SocketOptions;
  /** What getsockname shows before the socket has a name. */
  readonly unnamed: SocketAddress;
  /** The end of a connection that is made already. */
  readonly end?: ConnectionEnd;
}

/** A stream socket: new, listening, connecting or connected; TCP or unix by its rules. */
export class StreamTransport implements Transport {
  readonly changed: WaitQueue;
  readonly options: SocketOptions;
  readonly rules: StreamRules;
  readonly #unnamed: SocketAddress;
  #name: SocketName | undefined;
  #listener: Listener | undefined;
  #end: ConnectionEnd | undefined;
  #calling: { readonly attempt: Attempt; readonly listener: Listener } | undefined;
  /** Connected behind a connect that answered EINPROGRESS. */
  #isUntold = false;
  #error: Errno | undefined;

  constructor({ rules, options, unnamed, end }: StreamParts) {
    this.rules = rules;
    this.options = options;
    this.#unnamed = unnamed;
    this.#end = end;
    this.changed = end?.changed ?? new WaitQueue();
  }

  get name(): SocketName | undefined {
    return this.#name;
  }

  get isBound(): boolean {
    return this.#name !== undefined;
  }

  get listener(): Listener | undefined {
    return this.#listener;
  }

  get end(): ConnectionEnd | undefined {
    return this.#end;
  }

  get isConnecting(): boolean {
    return this.#calling !== undefined;
  }

  get isListening(): boolean {
    return this.#listener !== undefined;
  }

  get local(): SocketAddress {
    return this.#end?.local ?? this.#name?.address ?? this.#unnamed;
  }

  get peer(): SocketAddress | undefined {
    return this.#end?.isReset === true ? undefined : this.#end?.peer;
  }

  get readableBytes(): number {
    if (this.#listener !== undefined) throw new KernelError("EINVAL");
    return this.#end?.readableBytes ?? 0;
  }

  /** EINVAL when it has a name or a connection already. */
  requireUnbound(): void {
    if (this.#name !== undefined || this.#end !== undefined) throw new KernelError("EINVAL");
  }

  bind(name: SocketName): void {
    this.#name = name;
  }

  /** Starts to listen, or changes the backlog. EINVAL with a connection, EADDRINUSE. */
  listen(backlog: number): void {
    if (this.#listener === undefined) {
      if (this.#end !== undefined || this.#calling !== undefined) throw new KernelError("EINVAL");
      this.#name?.listen();
      this.#listener = new Listener(this.changed);
    }
    this.#listener.setBacklog(backlog);
  }

  /** Waits until there is a connection to accept: EINVAL unless it listens, EAGAIN, EINTR. */
  async awaitConnection({ waiter, isNonBlocking }: TransferOptions): Promise<Listener> {
    for (;;) {
      const listener = this.#listener;
      if (listener === undefined) throw new KernelError("EINVAL");
      if (listener.waiting > 0) return listener;
      if (isNonBlocking) throw new KernelError("EAGAIN");
      await waiter.wait(this.changed);
    }
  }

  /**
   * connect(2). `findTarget` is asked once the socket is known to be free. EISCONN, EALREADY,
   * ECONNREFUSED; EINPROGRESS, or EAGAIN of a unix socket, where it may not wait.
   */
  async connect(findTarget: () => StreamTarget, how: TransferOptions): Promise<void> {
    if (this.#listener !== undefined) throw new KernelError(this.rules.connectListening);
    if (this.#end !== undefined) {
      if (!this.#isUntold) throw new KernelError("EISCONN");
      this.#isUntold = false;
      return;
    }
    if (this.#calling !== undefined) {
      if (how.isNonBlocking) throw new KernelError("EALREADY");
      return this.#finishConnect(how);
    }
    const error = this.takeError();
    if (error !== undefined) throw new KernelError(error);
    this.#call(findTarget(), how);
    if (how.isNonBlocking && this.rules.hasHandshake) {
      this.#isUntold = true;
      throw new KernelError("EINPROGRESS");
    }
    return this.#finishConnect(how);
  }

  poll(): number {
    if (this.#listener !== undefined) return this.#listener.waiting > 0 ? POLLIN : 0;
    if (this.#end !== undefined) return this.#end.poll();
    if (this.#calling !== undefined) return 0;
    const isRefused = this.#error !== undefined;
    return POLLOUT | POLLHUP | (isRefused ? POLLIN | POLLRDHUP | POLLERR : 0);
  }

  async receive(into: Uint8Array, how: ReceiveOptions): Promise<Received> {
    for (;;) {
      const count = this.#receiveNow(into, how.isPeeking);
      if (count !== undefined) return { count, length: count, address: undefined };
      if (how.isNonBlocking) throw new KernelError("EAGAIN");
      await how.waiter.wait(this.changed);
    }
  }

  /** Waits until all is taken; what stops it in the middle cuts it short, and is told by the next. */
  async send(from: Uint8Array, how: TransferOptions): Promise<number> {
    if (from.length === 0) return 0;
    let sent = 0;
    for (;;) {
      if (sent > 0 && this.#end?.isBroken !== false) return sent;
      sent += this.#sendNow(from, sent);
      if (sent === from.length) return sent;
      if (how.isNonBlocking && sent > 0) return sent;
      if (how.isNonBlocking) throw new KernelError("EAGAIN");
      try {
        await how.waiter.wait(this.changed);
      } catch (error) {
        if (sent > 0 && isKernelError(error, "EINTR")) return sent;
        throw error;
      }
    }
  }

  /** A socket that listens and reads no more listens no more. */
  shutdown(sides: ShutdownSides): void {
    if (this.#listener !== undefined && sides.read) {
      this.#stopListening();
      return;
    }
    if (this.#end !== undefined && !this.#end.isReset) this.#end.shutdown(sides);
    else if (this.rules.hasHandshake) throw new KernelError("ENOTCONN");
  }

  takeError(): Errno | undefined {
    const error = this.#error ?? this.#end?.takeError();
    this.#error = undefined;
    return error;
  }

  release(): void {
    this.#leaveLine();
    this.#stopListening();
    this.#end?.release(this.options.breaksOff);
    this.#name?.release();
    this.#name = undefined;
  }

  #call(target: StreamTarget, { isNonBlocking }: TransferOptions): void {
    const { listener } = target;
    const cannotWait = isNonBlocking && !this.rules.hasHandshake;
    if (listener === undefined) return this.#refuse("ECONNREFUSED");
    if (cannotWait && listener.isFull) throw new KernelError("EAGAIN");
    const attempt: Attempt = {
      establish: () => {
        const ends = target.makeEnds(this.changed);
        this.#end = ends.caller;
        this.#calling = undefined;
        this.changed.wakeAll();
        return ends.listener;
      },
      refuse: (errno) => this.#refuse(errno),
    };
    this.#calling = { attempt, listener };
    try {
      listener.call(attempt);
    } catch (error) {
      this.#calling = undefined;
      this.#dropAutomaticName();
      throw error;
    }
  }

  async #finishConnect({ waiter }: TransferOptions): Promise<void> {
    try {
      while (this.#calling !== undefined) await waiter.wait(this.changed);
    } catch (error) {
      // A TCP connection that is on its way comes all the same, see connect(2).
      if (!this.rules.hasHandshake) this.#leaveLine();
      throw error;
    }
    const error = this.takeError();
    if (error !== undefined) throw new KernelError(error);
  }

  #receiveNow(into: Uint8Array, isPeeking: boolean): number | undefined {
    if (this.#end !== undefined) return this.#end.receive(into, isPeeking);
    if (this.#calling !== undefined) return undefined;
    throw new KernelError(this.takeError() ?? this.rules.unconnectedRead);
  }

  #sendNow(from: Uint8Array, start: number): number {
    if (this.#end !== undefined) return this.#end.send(from, start);
    if (this.#calling !== undefined) return 0;
    throw new KernelError(this.takeError() ?? this.rules.unconnectedWrite);
  }

  #refuse(errno: Errno): void {
    this.#calling = undefined;
    this.#error = errno;
    this.#dropAutomaticName();
    this.changed.wakeAll();
  }

  /** The port that a connect took for itself goes with its failure. */
  #dropAutomaticName(): void {
    if (this.#name?.isAutomatic !== true) return;
    this.#name.release();
    this.#name = undefined;
  }

  #leaveLine(): void {
    this.#calling?.listener.leave(this.#calling.attempt);
    this.#calling = undefined;
  }

  #stopListening(): void {
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.close();
    this.#name?.unlisten();
  }
}
