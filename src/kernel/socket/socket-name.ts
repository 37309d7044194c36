import type { SocketAddress } from "../abi/socket.ts";
import type { Endpoint } from "./endpoint.ts";

/** What a socket is bound to: a port or a name of a unix socket. Its socket releases it. */
export interface SocketName {
  readonly address: SocketAddress;
  /** Of an internet socket. */
  readonly endpoint: Endpoint | undefined;
  /** Taken by connect, not asked for. */
  readonly isAutomatic: boolean;
  /** EADDRINUSE when another listens there. */
  listen(): void;
  unlisten(): void;
  release(): void;
}
