/** What goes through sockets, and what they say of themselves. */
import { errnos } from "../abi/errno.ts";
import { isKernelError, KernelError } from "../abi/kernel-error.ts";
import { signals } from "../abi/signals.ts";
import {
  AF_UNIX,
  IPPROTO_TCP,
  IPPROTO_UDP,
  MSG_DONTWAIT,
  MSG_NOSIGNAL,
  MSG_PEEK,
  MSG_TRUNC,
  SHUT_RD,
  SHUT_RDWR,
  SHUT_WR,
  SOCK_STREAM,
  type SocketAddress,
} from "../abi/socket.ts";
import { holding } from "../fd/holding.ts";
import { requireNetwork } from "../permissions/require-network.ts";
import type { Process } from "../process/process.ts";
import { sendSignal } from "../process/send-signal.ts";
import { type Endpoint, parseEndpoint, resolveWildcard } from "../socket/endpoint.ts";
import type { SocketFile } from "../socket/socket-file.ts";
import { socketOf } from "./sockets.ts";

export interface SendtoOptions {
  /** MSG_DONTWAIT, MSG_NOSIGNAL. */
  readonly flags?: number;
  /** Where a datagram goes; its peer's when left out. A TCP connection has its own. */
  readonly address?: SocketAddress;
}

/** Sends: a datagram whole, of a stream as `write` does. SIGPIPE comes with EPIPE, but MSG_NOSIGNAL. */
export async function sendto(
  process: Process,
  fd: number,
  from: Uint8Array,
  { flags = 0, address }: SendtoOptions = {},
): Promise<number> {
  const file = socketOf(process, fd);
  requireFlags(flags, MSG_DONTWAIT | MSG_NOSIGNAL);
  process.kernel.limits.check("maxFdWriteBytes", from.length);
  const isNonBlocking = file.isNonBlocking || (flags & MSG_DONTWAIT) !== 0;
  try {
    return await holding(file, async () => {
      const to = await destination(process, file, address);
      const how = { waiter: process, isNonBlocking, ...(to === undefined ? {} : { to }) };
      return file.transport.send(from, how);
    });
  } catch (error) {
    const isTold = isKernelError(error, "EPIPE") && (flags & MSG_NOSIGNAL) === 0;
    if (isTold) sendSignal(process, signals.SIGPIPE);
    throw error;
  }
}

export interface RecvfromAnswer {
  readonly count: number;
  /** Who sent a datagram; undefined of a stream. */
  readonly address: SocketAddress | undefined;
  /** A datagram was longer than the room for it: the rest is lost. */
  readonly isTruncated: boolean;
}

/** Receives: one datagram, of a stream as `read` does. Flags: MSG_PEEK, MSG_TRUNC, MSG_DONTWAIT. */
export async function recvfrom(
  process: Process,
  fd: number,
  into: Uint8Array,
  flags = 0,
): Promise<RecvfromAnswer> {
  const file = socketOf(process, fd);
  requireFlags(flags, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
  process.kernel.limits.check("maxPreadBytes", into.length);
  const isNonBlocking = file.isNonBlocking || (flags & MSG_DONTWAIT) !== 0;
  const how = { waiter: process, isNonBlocking, isPeeking: (flags & MSG_PEEK) !== 0 };
  const { count, length, address } = await holding(file, () => file.transport.receive(into, how));
  const isWhole = (flags & MSG_TRUNC) !== 0;
  return { count: isWhole ? length : count, address, isTruncated: length > count };
}

/** Ends one direction of a connection, or both: SHUT_RD, SHUT_WR, SHUT_RDWR. */
export async function shutdown(process: Process, fd: number, how: number): Promise<void> {
  const { transport } = socketOf(process, fd);
  if (how !== SHUT_RD && how !== SHUT_WR && how !== SHUT_RDWR) throw new KernelError("EINVAL");
  transport.shutdown({ read: how !== SHUT_WR, write: how !== SHUT_RD });
}

/** The socket's own address; unspecified before it has one. */
export async function getsockname(process: Process, fd: number): Promise<SocketAddress> {
  return socketOf(process, fd).transport.local;
}

/** Whom it is connected to. */
export async function getpeername(process: Process, fd: number): Promise<SocketAddress> {
  const { peer } = socketOf(process, fd).transport;
  if (peer === undefined) throw new KernelError("ENOTCONN", String(fd));
  return peer;
}

/** Sets an option by its name, see socket(7), tcp(7), ip(7) and ipv6(7). SO_LINGER: seconds or -1. */
export async function setsockopt(
  process: Process,
  fd: number,
  name: string,
  value: number,
): Promise<void> {
  const { options, transport } = socketOf(process, fd);
  const option = options.require(String(name), "set");
  if (option === "IPV6_V6ONLY" && transport.isBound) throw new KernelError("EINVAL", name);
  options.set(option, value);
}

/** An option's value; also SO_TYPE, SO_DOMAIN, SO_PROTOCOL, SO_ACCEPTCONN, and SO_ERROR, which it clears. */
export async function getsockopt(process: Process, fd: number, name: string): Promise<number> {
  const file = socketOf(process, fd);
  switch (name) {
    case "SO_TYPE":
      return file.type;
    case "SO_DOMAIN":
      return file.domain;
    case "SO_PROTOCOL":
      return protocolOf(file);
    case "SO_ACCEPTCONN":
      return file.transport.isListening ? 1 : 0;
    case "SO_ERROR": {
      const error = file.transport.takeError();
      return error === undefined ? 0 : errnos[error][0];
    }
    default:
      return file.options.get(file.options.require(String(name), "get"));
  }
}

/** EISCONN and ENOTSUP of a unix stream as on Linux; TCP does not look at it. */
async function destination(
  process: Process,
  file: SocketFile,
  address: SocketAddress | undefined,
): Promise<Endpoint | undefined> {
  if (address === undefined) return undefined;
  const { peer } = file.transport;
  if (file.domain === AF_UNIX) throw new KernelError(peer === undefined ? "ENOTSUP" : "EISCONN");
  if (file.type === SOCK_STREAM) return undefined;
  const endpoint = resolveWildcard(parseEndpoint(file.domain, address));
  if (endpoint.port === 0) throw new KernelError("EINVAL", "port 0");
  await requireNetwork({ process, call: "sendto", socket: file, operation: "http", endpoint });
  process.kernel.sockets.requireRoute(file, endpoint);
  return endpoint;
}

function protocolOf({ domain, type }: SocketFile): number {
  if (domain === AF_UNIX) return 0;
  return type === SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
}

function requireFlags(flags: number, known: number): void {
  if ((flags & ~known) !== 0) throw new KernelError("ENOTSUP", undefined, "no such message flag");
}
