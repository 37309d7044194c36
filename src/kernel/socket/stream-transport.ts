import type { Errno } from "../abi/errno.ts";
import { KernelError } from "../abi/kernel-error.ts";
import type { SocketAddress } from "../abi/socket.ts";
import { WaitQueue } from "../fd/wait-queue.ts";
import type { ConnectionEnd } from "./connection-end.ts";
import { type Attempt, Listener } from "./listener.ts";
import type { SocketName } from "./socket-name.ts";
import type { SocketOptions } from "./socket-options.ts";
import type { StreamRules } from "./stream-rules.ts";
import { requireOpen, type StreamTarget } from "./stream-target.ts";
import type {
  Received,
  ReceiveOptions,
  ShutdownSides,
  TransferOptions,
  Transport,
} from "./transport.ts";
import { UnconnectedStream } from "./unconnected-stream.ts";
import { receiveWaiting, sendWaiting } from "./wait-to-transfer.ts";

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
  readonly #unconnected: UnconnectedStream;
  #name: SocketName | undefined;
  #listener: Listener | undefined;
  #end: ConnectionEnd | undefined;
  #calling: { readonly attempt: Attempt; readonly listener: Listener } | undefined;
  /** A connect answered EINPROGRESS, and none has told yet how it ended. */
  #isUntold = false;
  /** Shut after its connect had failed and before anybody was told: it connects no more. */
  #isGivenUp = false;

  constructor({ rules, options, unnamed, end }: StreamParts) {
    this.rules = rules;
    this.options = options;
    this.#unnamed = unnamed;
    this.#unconnected = new UnconnectedStream(rules);
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

  /** Who takes calls; nobody once it reads no more. */
  get openListener(): Listener | undefined {
    return this.#unconnected.shut.read ? undefined : this.#listener;
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
    const [name, end] = [this.#name?.address, this.#end?.local];
    return (this.rules.hasHandshake ? (end ?? name) : (name ?? end)) ?? this.#unnamed;
  }

  get peer(): SocketAddress | undefined {
    return this.#isOver ? undefined : this.#end?.peer;
  }

  get readableBytes(): number {
    if (this.#listener !== undefined) throw new KernelError("EINVAL");
    return this.#end?.readableBytes ?? 0;
  }

  /** EINVAL when it has a name already. */
  requireUnbound(): void {
    const isRefused = this.#isUntold && this.#end === undefined && this.#calling === undefined;
    if (this.#isOver || isRefused) this.#dropAutomaticName();
    if (this.#name !== undefined) throw new KernelError("EINVAL");
  }

  bind(name: SocketName): void {
    this.#name = name;
  }

  /** Starts to listen, or changes the backlog. EINVAL with a connection, EADDRINUSE. */
  listen(backlog: number): void {
    if (this.#listener === undefined) {
      if (this.#end !== undefined || this.#isUntold || this.#isGivenUp)
        throw new KernelError("EINVAL");
      this.#name?.listen();
      this.#listener = new Listener(this.changed);
    }
    this.#listener.setBacklog(backlog);
  }

  /** Waits until there is a connection to accept: EINVAL unless it listens, EAGAIN, EINTR. */
  async awaitConnection({ waiter, isNonBlocking }: TransferOptions): Promise<void> {
    for (;;) {
      const listener = this.#listener;
      if (listener === undefined) throw new KernelError("EINVAL");
      if (listener.waiting > 0) return;
      if (isNonBlocking) throw new KernelError("EAGAIN");
      if (this.#unconnected.shut.read) throw new KernelError("EINVAL");
      await waiter.wait(this.changed);
    }
  }

  /**
   * connect(2). `findTarget` is asked once the socket is known to be free. EISCONN, EALREADY,
   * ECONNREFUSED; EINPROGRESS, or EAGAIN of a unix socket, where it may not wait.
   */
  async connect(findTarget: () => StreamTarget, how: TransferOptions): Promise<void> {
    // A unix socket looks whom it calls before it looks at itself.
    if (!this.rules.hasHandshake) requireOpen(findTarget(), how.isNonBlocking);
    if (this.#listener !== undefined) throw new KernelError(this.rules.connectListening);
    if (this.#isGivenUp) throw new KernelError("EINVAL");
    if (this.#calling !== undefined) {
      if (how.isNonBlocking) throw new KernelError("EALREADY");
      return this.#finishConnect(how);
    }
    if (this.#isUntold) return this.#tellConnect();
    if (this.#end !== undefined) throw new KernelError("EISCONN");
    this.#call(findTarget());
    if (how.isNonBlocking && this.rules.hasHandshake) {
      this.#isUntold = true;
      throw new KernelError("EINPROGRESS");
    }
    return this.#finishConnect(how);
  }

  poll(): number {
    const unconnected = this.#unconnected;
    if (this.#listener !== undefined) return unconnected.pollListening(this.#listener.waiting);
    if (this.#end !== undefined) return this.#end.poll();
    return this.#calling === undefined ? unconnected.poll() : 0;
  }

  async receive(into: Uint8Array, how: ReceiveOptions): Promise<Received> {
    const step = () => this.#receiveNow(into, how.isPeeking);
    const count = await receiveWaiting(step, this.changed, how);
    return { count, length: count, address: undefined };
  }

  /** Waits until all is taken; what stops it in the middle cuts it short, and is told by the next. */
  async send(from: Uint8Array, how: TransferOptions): Promise<number> {
    const step = (sent: number): number | undefined => {
      if (sent > 0 && this.#end?.isBroken !== false) return undefined;
      return this.#sendNow(from, sent);
    };
    return sendWaiting(from.length, step, this.changed, how);
  }

  /** A TCP socket that listens and reads no more listens no more. ENOTCONN, but of unix sockets. */
  shutdown(sides: ShutdownSides): void {
    const isTcp = this.rules.hasHandshake;
    const isAbandoned = isTcp && this.#calling !== undefined;
    this.#isGivenUp ||= !isAbandoned && this.#isUntold && (!this.#end || this.#isOver);
    this.#isUntold = false;
    if (isAbandoned) {
      this.#leaveLine();
      this.#dropAutomaticName();
      return this.changed.wakeAll();
    }
    if (this.#end !== undefined && !this.#isOver) return this.#end.shutdown(sides);
    if (isTcp && this.#listener !== undefined) {
      if (sides.read) this.#stopListening();
      return;
    }
    this.#unconnected.shutdown(sides);
    this.changed.wakeAll();
    if (isTcp) throw new KernelError("ENOTCONN");
  }

  takeError(): Errno | undefined {
    return this.#unconnected.takeError() ?? this.#end?.takeError();
  }

  release(): void {
    this.#leaveLine();
    this.#stopListening();
    this.#end?.release(this.options.breaksOff);
    this.#name?.release();
    this.#name = undefined;
  }

  #call(target: StreamTarget): void {
    const { listener } = target;
    if (listener === undefined) return this.#refuse("ECONNREFUSED");
    const attempt: Attempt = {
      establish: () => {
        const ends = target.makeEnds(this.changed);
        this.#end = ends.caller;
        this.#end.inherit(this.#unconnected.shut);
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
      if (this.rules.hasHandshake) this.#isUntold = true;
      else this.#leaveLine();
      throw error;
    }
    this.#tellConnect();
  }

  /** How a connect has ended that did not wait; a socket whose connect failed is new again. */
  #tellConnect(): void {
    this.#isUntold = false;
    if (this.#end !== undefined && !this.#isOver) return;
    const error = this.takeError() ?? "ECONNABORTED";
    this.#end?.release(false);
    this.#end = undefined;
    this.#unconnected.renew();
    this.#dropAutomaticName();
    throw new KernelError(error);
  }

  /** A TCP connection that has ended at both sides, or was broken off. */
  get #isOver(): boolean {
    return this.rules.hasHandshake && this.#end?.state === "closed";
  }

  #receiveNow(into: Uint8Array, isPeeking: boolean): number | undefined {
    if (this.#end !== undefined) return this.#end.receive(into, isPeeking);
    if (this.#calling !== undefined) return undefined;
    return this.#unconnected.receive();
  }

  #sendNow(from: Uint8Array, start: number): number {
    if (this.#end !== undefined) return this.#end.send(from, start);
    if (this.#calling !== undefined) return 0;
    return this.#unconnected.send();
  }

  #refuse(errno: Errno): void {
    this.#calling = undefined;
    this.#unconnected.refuse(errno);
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
