/** Sockets as guests see them, with Linux's numbers (linux/socket.h, linux/in.h). */
import { O_CLOEXEC, O_NONBLOCK } from "./open-flags.ts";

export const AF_UNSPEC = 0;
export const AF_UNIX = 1;
export const AF_INET = 2;
export const AF_INET6 = 10;

export const SOCK_STREAM = 1;
export const SOCK_DGRAM = 2;
/** The bits of socket(2)'s type that are not flags. */
export const SOCK_TYPE_MASK = 0xf;
export const SOCK_NONBLOCK = O_NONBLOCK;
export const SOCK_CLOEXEC = O_CLOEXEC;

export const IPPROTO_TCP = 6;
export const IPPROTO_UDP = 17;

export const MSG_PEEK = 0x02;
/** Of recvfrom: answers the datagram's whole length, whatever fitted. */
export const MSG_TRUNC = 0x20;
export const MSG_DONTWAIT = 0x40;
export const MSG_NOSIGNAL = 0x4000;

export const SHUT_RD = 0;
export const SHUT_WR = 1;
export const SHUT_RDWR = 2;

/** The longest backlog, see listen(2). */
export const SOMAXCONN = 4096;

export type SocketDomain = typeof AF_UNIX | typeof AF_INET | typeof AF_INET6;
export type SocketType = typeof SOCK_STREAM | typeof SOCK_DGRAM;

export interface InetAddress {
  readonly family: typeof AF_INET | typeof AF_INET6;
  /** As inet_ntop(3) writes it: `127.0.0.1`, `::1`, `::ffff:127.0.0.1`. */
  readonly address: string;
  readonly port: number;
}

export interface UnixAddress {
  readonly family: typeof AF_UNIX;
  /** A path; an abstract name with its leading NUL; empty for a socket without a name. */
  readonly path: string;
}

export type SocketAddress = InetAddress | UnixAddress;

/** What connect(2) takes, too: it makes a datagram socket forget its peer. */
export interface NoAddress {
  readonly family: typeof AF_UNSPEC;
}
