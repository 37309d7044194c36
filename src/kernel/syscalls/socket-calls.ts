/** The table's rows about sockets. */
import { full, partial, type Syscall } from "./row.ts";
import * as socketData from "./socket-data.ts";
import * as sockets from "./sockets.ts";

/** What a walk to a socket's path fails with; no such path is too long, see unix(7). */
const socketWalk = ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "EINVAL", "EBADF"] as const;

/** The kinds of sockets that there are not. */
const noSuchSocket = ["EAFNOSUPPORT", "ESOCKTNOSUPPORT", "EPROTONOSUPPORT", "EINVAL"] as const;

export const socketCalls = {
  socket: partial(
    sockets.socket,
    [...noSuchSocket, "EMFILE", "ENFILE"],
    "Streams and datagrams of the internet (loopback only), and unix streams.",
  ),
  socketpair: partial(
    sockets.socketpair,
    [...noSuchSocket, "ENOTSUP", "EMFILE", "ENFILE", "EAGAIN"],
    "Unix streams.",
  ),
  bind: full(sockets.bind, [
    ...socketWalk,
    "ENOTSOCK",
    "EADDRINUSE",
    "EADDRNOTAVAIL",
    "EAFNOSUPPORT",
    "EROFS",
    "ENOSPC",
  ]),
  listen: full(sockets.listen, ["EBADF", "ENOTSOCK", "ENOTSUP", "EINVAL", "EADDRINUSE", "EACCES"]),
  accept: full(sockets.accept, [
    "EBADF",
    "ENOTSOCK",
    "ENOTSUP",
    "EINVAL",
    "EAGAIN",
    "EINTR",
    "EMFILE",
    "ENFILE",
  ]),
  connect: partial(
    sockets.connect,
    [
      ...socketWalk,
      "ENOTSOCK",
      "EAFNOSUPPORT",
      "ECONNREFUSED",
      "ECONNABORTED",
      "ENETUNREACH",
      "EISCONN",
      "EINPROGRESS",
      "EALREADY",
      "EAGAIN",
      "EINTR",
      "EADDRNOTAVAIL",
    ],
    "To the VM's own loopback.",
  ),
  getsockname: full(socketData.getsockname, ["EBADF", "ENOTSOCK"]),
  getpeername: full(socketData.getpeername, ["EBADF", "ENOTSOCK", "ENOTCONN"]),
  shutdown: full(socketData.shutdown, ["EBADF", "ENOTSOCK", "ENOTCONN", "EINVAL"]),
  setsockopt: partial(
    socketData.setsockopt,
    ["EBADF", "ENOTSOCK", "ENOPROTOOPT", "ENOTSUP", "EINVAL"],
    "No multicast.",
  ),
  getsockopt: partial(
    socketData.getsockopt,
    ["EBADF", "ENOTSOCK", "ENOPROTOOPT", "ENOTSUP"],
    "No multicast.",
  ),
  sendto: full(socketData.sendto, [
    "EBADF",
    "ENOTSOCK",
    "EPIPE",
    "ECONNRESET",
    "ECONNREFUSED",
    "ENOTCONN",
    "EISCONN",
    "EDESTADDRREQ",
    "EMSGSIZE",
    "EAFNOSUPPORT",
    "ENETUNREACH",
    "EACCES",
    "ENOBUFS",
    "EAGAIN",
    "EINTR",
    "EINVAL",
    "ENOTSUP",
  ]),
  recvfrom: full(socketData.recvfrom, [
    "EBADF",
    "ENOTSOCK",
    "ENOTCONN",
    "ECONNRESET",
    "ECONNREFUSED",
    "EAGAIN",
    "EINTR",
    "EINVAL",
    "ENOTSUP",
  ]),
} as const satisfies Record<string, Syscall>;
