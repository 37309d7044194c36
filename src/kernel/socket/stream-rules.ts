import type { Errno } from "../abi/errno.ts";

/** Where TCP and unix streams differ. */
export interface StreamRules {
  /** A connect that does not wait answers EINPROGRESS and goes on; else it is done or fails at once. */
  readonly hasHandshake: boolean;
  readonly unconnectedRead: Errno;
  readonly unconnectedWrite: Errno;
  /** What connect fails with on a socket that listens. */
  readonly connectListening: Errno;
  /** Whether the peer knows at once that an end has left or reads no more: its writes fail. */
  readonly tellsWriters: boolean;
}

/**
 * tcp(7), net/ipv4/tcp.c: whoever writes to an end that has left finds out by the answer, and so with
 * the next call.
 */
export const tcpRules: StreamRules = {
  hasHandshake: true,
  unconnectedRead: "ENOTCONN",
  unconnectedWrite: "EPIPE",
  connectListening: "EISCONN",
  tellsWriters: false,
};

/** unix(7), net/unix/af_unix.c. */
export const unixRules: StreamRules = {
  hasHandshake: false,
  unconnectedRead: "EINVAL",
  unconnectedWrite: "ENOTCONN",
  connectListening: "EINVAL",
  tellsWriters: true,
};
