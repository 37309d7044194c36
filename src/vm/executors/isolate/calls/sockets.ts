// Sockets by fd. All of them are non-blocking: who has to wait waits for readiness, and then tries.
import {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  AF_UNSPEC,
  errnos,
  isKernelError,
  KernelError,
  MSG_DONTWAIT,
  MSG_NOSIGNAL,
  O_CLOEXEC,
  O_NONBLOCK,
  POLLIN,
  POLLOUT,
  type SocketAddress,
} from "../../../../kernel/index.ts";
import type { Packed } from "../../../node/wire/pack.ts";
import { type Arguments, bytes, int, record, text } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";

/** What one recvfrom or read takes at most: no datagram is longer. */
const READ_BYTES = 65_536;

const errnoNames: ReadonlyMap<number, string> = new Map(
  Object.entries(errnos).map(([name, [number]]) => [number, name]),
);

export const socketCalls: Calls = {
  socketOpen: ({ sys }, args) => sys.socket(int(args, 0), int(args, 1) | O_NONBLOCK | O_CLOEXEC),
  /** Makes an fd that came from elsewhere one of ours; ENOTSOCK for another kind of file. */
  async socketAdopt({ sys }, args) {
    const fd = int(args, 0);
    await sys.getsockopt(fd, "SO_TYPE");
    const flags = await sys.fcntl(fd, { request: "F_GETFL" });
    await sys.fcntl(fd, { request: "F_SETFL", flags: flags | O_NONBLOCK });
    return undefined;
  },
  async socketBind({ sys }, args) {
    await sys.bind(int(args, 0), addressOf(args, 1));
    return undefined;
  },
  async socketListen({ sys }, args) {
    await sys.listen(int(args, 0), int(args, 1));
    return undefined;
  },
  /** The next connection as an fd; EAGAIN when there is none. */
  async socketAccept({ sys }, args) {
    const { fd } = await sys.accept(int(args, 0), O_NONBLOCK | O_CLOEXEC);
    return fd;
  },
  /** Whether it is connected; if not, that becomes known with `socketConnected`. */
  async socketConnect({ sys }, args) {
    const to = args[1] === null ? ({ family: AF_UNSPEC } as const) : addressOf(args, 1);
    try {
      await sys.connect(int(args, 0), to);
      return true;
    } catch (error) {
      if (isKernelError(error, "EINPROGRESS")) return false;
      throw error;
    }
  },
  /** Waits for the end of a connect; fails with its error. */
  async socketConnected(guest, args) {
    const fd = int(args, 0);
    await pollFor(guest, fd, POLLOUT);
    const number = await guest.sys.getsockopt(fd, "SO_ERROR");
    if (number !== 0) throw errorOf(number);
    return undefined;
  },
  async socketName({ sys }, args) {
    return packAddress(await sys.getsockname(int(args, 0)));
  },
  async socketPeer({ sys }, args) {
    return packAddress(await sys.getpeername(int(args, 0)));
  },
  async setSocketOption({ sys }, args) {
    await sys.setsockopt(int(args, 0), text(args, 1), int(args, 2));
    return undefined;
  },
  socketOption: ({ sys }, args) => sys.getsockopt(int(args, 0), text(args, 1)),
  /** Lets everybody read (1) or write (2) the file of a unix socket. */
  async socketChmod({ sys }, args) {
    const name = await sys.getsockname(int(args, 0));
    if (name.family !== AF_UNIX) throw new KernelError("EINVAL");
    const wish = int(args, 1);
    const { mode } = await sys.stat(name.path);
    const added = ((wish & 1) === 0 ? 0 : 0o444) | ((wish & 2) === 0 ? 0 : 0o222);
    await sys.chmod(name.path, mode | added);
    return undefined;
  },
  /** Waits until a read or an accept would not. */
  async waitReadable(guest, args) {
    await waitFor(guest, int(args, 0), POLLIN);
    return undefined;
  },
  async waitWritable(guest, args) {
    await waitFor(guest, int(args, 0), POLLOUT);
    return undefined;
  },
  /** What there is to read, at the end nothing. EAGAIN where it would wait. */
  async readNow({ sys }, args) {
    const fd = int(args, 0);
    const [events = 0] = await sys.poll([{ fd, events: POLLIN }], 0);
    if (events === 0) throw new KernelError("EAGAIN");
    const into = new Uint8Array(Math.max(1, Math.min(int(args, 1), READ_BYTES)));
    return into.subarray(0, await sys.read(fd, into));
  },
  sendDatagram: ({ sys }, args) => {
    const to = args[2] === undefined ? {} : { address: addressOf(args, 2) };
    return sys.sendto(int(args, 0), bytes(args, 1), { flags: MSG_DONTWAIT | MSG_NOSIGNAL, ...to });
  },
  /** The next datagram, who sent it, and whether it was cut. EAGAIN when there is none. */
  async receiveDatagram({ sys }, args) {
    const into = new Uint8Array(READ_BYTES);
    const answer = await sys.recvfrom(int(args, 0), into, MSG_DONTWAIT);
    const from = answer.address === undefined ? undefined : packAddress(answer.address);
    return [into.subarray(0, answer.count), from, answer.isTruncated];
  },
};

/** A wait that several calls may share: given up and started anew, it stays one. */
export function waitFor(guest: Guest, fd: number, events: number): Promise<void> {
  const waits = waitsOf(guest);
  const key = fd * POLLKEYS + events;
  const known = waits.get(key);
  if (known !== undefined) return known;
  const wait = pollFor(guest, fd, events).finally(() => waits.delete(key));
  waits.set(key, wait);
  return wait;
}

/** More than any events. */
const POLLKEYS = 65_536;

async function pollFor({ sys }: Guest, fd: number, events: number): Promise<void> {
  for (;;) {
    try {
      await sys.poll([{ fd, events }], -1);
      return;
    } catch (error) {
      if (!isKernelError(error, "EINTR")) throw error;
    }
  }
}

function waitsOf({ state }: Guest): Map<number, Promise<void>> {
  const known = state.get("socketWaits");
  if (known instanceof Map) return known;
  const made = new Map<number, Promise<void>>();
  state.set("socketWaits", made);
  return made;
}

function errorOf(number: number): KernelError {
  const name = errnoNames.get(number);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of `errnos` are its errnos
  return new KernelError((name ?? "EIO") as keyof typeof errnos);
}

function addressOf(args: Arguments, at: number): SocketAddress {
  const { family, address, port, path } = record(args, at);
  const parts = [address, port, path];
  if (family === AF_UNIX) return { family, path: text(parts, 2) };
  if (family !== AF_INET && family !== AF_INET6) throw new KernelError("EINVAL");
  return { family, address: text(parts, 0), port: int(parts, 1) };
}

function packAddress(address: SocketAddress): Packed {
  if (address.family === AF_UNIX) return { family: address.family, path: address.path };
  return { family: address.family, address: address.address, port: address.port };
}
