import type { Errno } from "../abi/errno.ts";
import type { SocketAddress } from "../abi/socket.ts";
import type { Waiter, WaitQueue } from "../fd/wait-queue.ts";
import type { Endpoint } from "./endpoint.ts";

/** How a call transfers: who waits, if it does, and the flags of recv(2) that are known. */
export interface TransferOptions {
  readonly waiter: Waiter;
  readonly isNonBlocking: boolean;
}

export interface ReceiveOptions extends TransferOptions {
  readonly isPeeking: boolean;
}

export interface SendOptions extends TransferOptions {
  /** Where a datagram goes; its peer's address when left out. */
  readonly to?: Endpoint;
}

export interface Received {
  /** Bytes put into the buffer. */
  readonly count: number;
  /** Bytes there were: more than `count` where a datagram was cut. */
  readonly length: number;
  /** Who sent a datagram; undefined of a stream. */
  readonly address: SocketAddress | undefined;
}

export interface ShutdownSides {
  readonly read: boolean;
  readonly write: boolean;
}

/** What a socket does behind its descriptor: a stream or datagrams. */
export interface Transport {
  /** Woken whenever a call may go on or poll answers something else. */
  readonly changed: WaitQueue;
  readonly local: SocketAddress;
  /** Undefined while there is no connection. */
  readonly peer: SocketAddress | undefined;
  readonly isListening: boolean;
  /** What the next read gets at most without waiting; FIONREAD. EINVAL of a socket that listens. */
  readonly readableBytes: number;
  poll(): number;
  /** Waits while there is nothing: EAGAIN, EINTR, ENOTCONN, ECONNRESET. */
  receive(into: Uint8Array, how: ReceiveOptions): Promise<Received>;
  /** Waits while there is no room: EAGAIN, EINTR, EPIPE, ECONNRESET, ENOTCONN. */
  send(from: Uint8Array, how: SendOptions): Promise<number>;
  /** ENOTCONN without a connection. */
  shutdown(sides: ShutdownSides): void;
  /** What has failed since it was asked last. */
  takeError(): Errno | undefined;
  /** The last descriptor is closed. */
  release(): void;
}
