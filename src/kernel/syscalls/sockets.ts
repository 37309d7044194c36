/** Making, naming and connecting sockets, see socket(7). */
import { KernelError } from "../abi/kernel-error.ts";
import { O_CLOEXEC, O_NONBLOCK, W_OK } from "../abi/open-flags.ts";
import {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  AF_UNSPEC,
  IPPROTO_TCP,
  IPPROTO_UDP,
  type NoAddress,
  SOCK_DGRAM,
  SOCK_STREAM,
  SOCK_TYPE_MASK,
  type SocketAddress,
  type SocketDomain,
  type SocketType,
} from "../abi/socket.ts";
import { encodeText } from "../abi/text.ts";
import { holding } from "../fd/holding.ts";
import { checkFile, checkPath } from "../permissions/check-path.ts";
import { requireAccess } from "../permissions/credentials.ts";
import { requireNetwork } from "../permissions/require-network.ts";
import type { Process } from "../process/process.ts";
import { DatagramTransport } from "../socket/datagram-transport.ts";
import {
  type Endpoint,
  isSameEndpoint,
  parseEndpoint,
  resolveWildcard,
  unboundEndpoint,
} from "../socket/endpoint.ts";
import { SocketFile } from "../socket/socket-file.ts";
import type { SocketOrigin } from "../socket/socket-table.ts";
import { StreamTransport } from "../socket/stream-transport.ts";
import { addFile, addPair } from "./descriptors.ts";

/** The last type that Linux knows, SOCK_PACKET. */
const SOCK_LAST = 10;
/** The bytes of sun_path, see unix(7). */
const UNIX_PATH_MAX = 108;

/** A new socket. The type may carry SOCK_NONBLOCK and SOCK_CLOEXEC. */
export async function socket(
  process: Process,
  domain: number,
  type: number,
  protocol = 0,
): Promise<number> {
  const kind = kindOf(domain, type, protocol);
  process.fds.requireRoom();
  const file = process.kernel.sockets.create(kind, originOf(process, type));
  return addFile(process, file, (type & O_CLOEXEC) !== 0);
}

/** Two unix streams that are connected to each other. */
export async function socketpair(
  process: Process,
  domain: number,
  type: number,
  protocol = 0,
): Promise<[number, number]> {
  const kind = kindOf(domain, type, protocol);
  if (kind.domain !== AF_UNIX) throw new KernelError("ENOTSUP");
  const files = process.kernel.sockets.createPair(originOf(process, type));
  return addPair(process, files, (type & O_CLOEXEC) !== 0);
}

/** Gives a socket its address: a port, any for port 0; a path, where it makes the socket's file. */
export async function bind(process: Process, fd: number, address: SocketAddress): Promise<void> {
  const file = socketOf(process, fd);
  await holding(file, async () => {
    if (file.domain === AF_UNIX) return bindUnix(process, file, address);
    const endpoint = parseEndpoint(file.domain, address);
    // A datagram socket with a port is one that others can come to.
    if (file.type === SOCK_DGRAM) {
      const operation = "listen";
      await requireNetwork({ process, call: "bind", socket: file, operation, endpoint });
    }
    return process.kernel.sockets.bindInet(file, endpoint, process.credentials.euid);
  });
}

/** Lets connections come, `backlog` and one more until they are accepted. */
export async function listen(process: Process, fd: number, backlog: number): Promise<void> {
  const file = socketOf(process, fd);
  const stream = streamOf(file);
  if (!Number.isInteger(backlog)) throw new KernelError("EINVAL", String(backlog));
  await holding(file, async () => {
    await requireListening(process, file, stream);
    process.kernel.sockets.listen(file, stream, backlog);
  });
}

/** What the policy was asked about is where it listens, whatever another call does meanwhile. */
async function requireListening(
  process: Process,
  file: SocketFile,
  stream: StreamTransport,
): Promise<void> {
  const call = "listen";
  const place = (): Endpoint => stream.name?.endpoint ?? unboundEndpoint(file.domain);
  for (;;) {
    const endpoint = place();
    await requireNetwork({ process, call, socket: file, operation: "listen", endpoint });
    if (isSameEndpoint(endpoint, place())) return;
  }
}

export interface Accepted {
  readonly fd: number;
  /** Who has connected. */
  readonly address: SocketAddress;
}

/** The oldest connection that waits, as a socket of its own. Flags: O_NONBLOCK, O_CLOEXEC. */
export async function accept(process: Process, fd: number, flags = 0): Promise<Accepted> {
  if ((flags & ~(O_CLOEXEC | O_NONBLOCK)) !== 0) throw new KernelError("EINVAL");
  const file = socketOf(process, fd);
  const stream = streamOf(file);
  const { isNonBlocking } = file;
  return holding(file, async () => {
    for (;;) {
      await stream.awaitConnection({ waiter: process, isNonBlocking });
      // No await until the connection has its descriptor: without one it stays in the queue.
      process.fds.requireRoom();
      const accepted = process.kernel.sockets.accept(file, originOf(process, flags));
      if (accepted === undefined) continue;
      const { end } = streamOf(accepted);
      const address = end?.peer ?? accepted.transport.local;
      return { fd: addFile(process, accepted, (flags & O_CLOEXEC) !== 0), address };
    }
  });
}

/** Connects a stream; gives a datagram socket its peer, or takes it away (AF_UNSPEC). */
export async function connect(
  process: Process,
  fd: number,
  address: SocketAddress | NoAddress,
): Promise<void> {
  const file = socketOf(process, fd);
  await holding(file, async () => {
    if (file.domain === AF_UNIX) return connectUnix(process, file, address);
    return connectInet(process, file, address);
  });
}

/** ENOTSOCK for another kind of file. */
export function socketOf(process: Process, fd: number): SocketFile {
  const file = process.fds.get(fd);
  if (!(file instanceof SocketFile)) throw new KernelError("ENOTSOCK", String(fd));
  return file;
}

async function connectInet(
  process: Process,
  file: SocketFile,
  address: SocketAddress | NoAddress,
): Promise<void> {
  const { sockets } = process.kernel;
  const { transport, isNonBlocking } = file;
  // Deviation: AF_UNSPEC does not take a TCP connection apart; it fails with EAFNOSUPPORT.
  if (address.family === AF_UNSPEC && transport instanceof DatagramTransport) {
    transport.connect(undefined);
    return;
  }
  const endpoint = resolveWildcard(parseEndpoint(file.domain, address));
  const call = "connect";
  await requireNetwork({ process, call, socket: file, operation: "http", endpoint });
  sockets.requireRoute(file, endpoint);
  if (transport instanceof DatagramTransport) {
    transport.connect(endpoint);
    return;
  }
  const findTarget = () => sockets.callTcp(file, transport, endpoint);
  await transport.connect(findTarget, { waiter: process, isNonBlocking });
}

async function connectUnix(
  process: Process,
  file: SocketFile,
  address: SocketAddress | NoAddress,
): Promise<void> {
  const path = unixPath(address);
  const { sockets } = process.kernel;
  const stream = streamOf(file);
  const { isNonBlocking } = file;
  const called = path.startsWith("\0")
    ? sockets.unix.findAbstract(path)
    : await findSocketAt(process, path);
  const findTarget = () => sockets.callUnix(stream, called);
  await stream.connect(findTarget, { waiter: process, isNonBlocking });
}

/** Who is bound to the file there; it must be writable. ECONNREFUSED where nobody can be. */
async function findSocketAt(process: Process, path: string): Promise<StreamTransport | undefined> {
  const at = await checkFile({ process, call: "connect", path, operation: "write" });
  const { vfs, sockets } = process.kernel;
  requireAccess(process.credentials, await vfs.statOf(at.existing), W_OK, at.path);
  return sockets.unix.findFile(at.existing.inode);
}

async function bindUnix(process: Process, file: SocketFile, address: SocketAddress): Promise<void> {
  const path = unixPath(address);
  const { unix } = process.kernel.sockets;
  const stream = streamOf(file);
  stream.requireUnbound();
  if (path === "") return unix.bindAutomatic(stream);
  if (path.startsWith("\0")) return unix.bindAbstract(path, stream);
  const followsLast = "name";
  const at = await checkPath({ process, call: "bind", path, operation: "write", followsLast });
  if (at.existing !== undefined) throw new KernelError("EADDRINUSE", path);
  const { vfs } = process.kernel;
  const place = await vfs.create(at, { kind: "socket", mode: 0o777 }, process);
  stream.requireUnbound();
  return unix.bindFile(place, path, stream);
}

function unixPath(address: unknown): string {
  const isUnix =
    typeof address === "object" &&
    address !== null &&
    "family" in address &&
    address.family === AF_UNIX &&
    "path" in address &&
    typeof address.path === "string";
  if (!isUnix) throw new KernelError("EINVAL", undefined, "give a unix socket's address");
  const path = String(address.path);
  if (encodeText(path).length > UNIX_PATH_MAX) throw new KernelError("EINVAL", path);
  return path;
}

/** EAFNOSUPPORT, ESOCKTNOSUPPORT, EPROTONOSUPPORT, EINVAL: what kinds of sockets there are. */
function kindOf(domain: number, typeAndFlags: number, protocol: number): SocketKind {
  const type = typeAndFlags & SOCK_TYPE_MASK;
  const flags = typeAndFlags & ~SOCK_TYPE_MASK;
  if ((flags & ~(O_CLOEXEC | O_NONBLOCK)) !== 0) throw new KernelError("EINVAL");
  if (type < SOCK_STREAM || type > SOCK_LAST) throw new KernelError("EINVAL");
  if (domain !== AF_UNIX && domain !== AF_INET && domain !== AF_INET6) {
    throw new KernelError("EAFNOSUPPORT", String(domain));
  }
  const isKnown = type === SOCK_STREAM || (type === SOCK_DGRAM && domain !== AF_UNIX);
  if (!isKnown) throw new KernelError("ESOCKTNOSUPPORT", String(type));
  const own = type === SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
  const isOwn = protocol === 0 || (domain !== AF_UNIX && protocol === own);
  if (!isOwn) throw new KernelError("EPROTONOSUPPORT", String(protocol));
  return { domain, type };
}

interface SocketKind {
  readonly domain: SocketDomain;
  readonly type: SocketType;
}

function originOf({ credentials }: Process, flags: number): SocketOrigin {
  return { uid: credentials.euid, gid: credentials.egid, flags: flags & O_NONBLOCK };
}

/** ENOTSUP for datagrams. */
function streamOf({ transport }: SocketFile): StreamTransport {
  if (!(transport instanceof StreamTransport)) throw new KernelError("ENOTSUP");
  return transport;
}
