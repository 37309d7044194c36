// socketpair(2): two connected ends as fds of this process, closed in anything it starts.
import { type Libc, LibcError } from "./libc.ts";

/** The caller owns and closes both ends. Throws LibcError. */
export function makeSocketPair(libc: Libc): readonly [number, number] {
  const fds = new Int32Array(2);
  libc.syscall(
    "socketpair",
    SOCKETPAIR,
    AF_UNIX,
    SOCK_STREAM_CLOEXEC,
    0,
    new Uint8Array(fds.buffer),
  );
  const [near = -1, far = -1] = fds;
  return [near, far];
}

/** Lets more bytes wait in a socket, as many as the host allows: one who writes a lot is woken less often. */
export function widenSocket(libc: Libc, fd: number, bytes: number): void {
  const value = new Uint8Array(new Int32Array([bytes]).buffer);
  try {
    libc.syscall("setsockopt", SETSOCKOPT, fd, SOL_SOCKET, SO_SNDBUF, value, value.length);
  } catch (error) {
    // Slower, and nothing else.
    if (!(error instanceof LibcError)) throw error;
  }
}

/** By architecture; sys/socket.h. */
const [SOCKETPAIR, SETSOCKOPT] = process.arch === "arm64" ? [199, 208] : [53, 54];
const AF_UNIX = 1;
const SOCK_STREAM_CLOEXEC = 1 | 0o2000000;
const SOL_SOCKET = 1;
const SO_SNDBUF = 7;
