// socketpair(2): two connected ends as fds of this process, closed in anything it starts.
import type { Libc } from "./libc.ts";

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

/** By architecture; sys/socket.h. */
const SOCKETPAIR = process.arch === "arm64" ? 199 : 53;
const AF_UNIX = 1;
const SOCK_STREAM_CLOEXEC = 1 | 0o2000000;
