// Streams by fd: what they are, reading and writing without holding up the process.
import {
  AF_UNIX,
  isKernelError,
  KernelError,
  MSG_DONTWAIT,
  MSG_NOSIGNAL,
  O_NONBLOCK,
  POLLIN,
  POLLOUT,
  SHUT_WR,
  SOCK_STREAM,
} from "../../../../kernel/index.ts";
import { bytes, int } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";
import { isTerminal } from "./terminals.ts";

type Sys = Guest["sys"];

/** Bytes of one read or write of the kernel. */
const CHUNK_BYTES = 1 << 18;
/** Waits of given up reads that one process may have. */
const ABANDONED_LIMIT = 8_192;
const ABANDONED = "streams: abandoned";

export const streamCalls: Calls = {
  handleKind: ({ sys }, args) => kindOf(sys, int(args, 0)),
  /** The next bytes of a stream; none at its end. Takes nothing once the call is given up. */
  async streamRead(guest, args) {
    const { sys, requests } = guest;
    const fd = int(args, 0);
    const length = int(args, 1);
    if (length <= 0) throw new KernelError("EINVAL");
    const signal = requests.signalOf(args);
    const into = new Uint8Array(Math.min(length, CHUNK_BYTES));
    for (;;) {
      await waitWhileWanted(guest, fd, signal);
      if (signal?.aborted === true) throw new KernelError("EINTR");
      try {
        return into.subarray(0, await sys.read(fd, into));
      } catch (error) {
        if (!isKernelError(error, "EAGAIN")) throw error;
      }
    }
  },
  /** Writes what can be written without waiting; how much that was. */
  tryWrite: ({ sys }, args) => tryWrite(sys, int(args, 0), bytes(args, 1)),
  /** Writes all of it, however long that takes. */
  async writeAll({ sys, requests }, args) {
    const fd = int(args, 0);
    const data = bytes(args, 1);
    const signal = requests.signalOf(args);
    let at = 0;
    while (at < data.length) {
      if (signal?.aborted === true) throw new KernelError("EINTR");
      try {
        at += await sys.write(fd, data.subarray(at, at + CHUNK_BYTES));
      } catch (error) {
        if (!isKernelError(error, "EAGAIN")) throw error;
        await sys.poll([{ fd, events: POLLOUT }], -1);
      }
    }
    return at;
  },
  /** No more will be written; only a socket can tell its peer. */
  async shutdownWrite({ sys }, args) {
    try {
      await sys.shutdown(int(args, 0), SHUT_WR);
    } catch (error) {
      if (!isKernelError(error, "ENOTSOCK")) throw error;
    }
    return undefined;
  },
};

/** As uv_guess_handle. */
async function kindOf(sys: Sys, fd: number): Promise<string> {
  try {
    const { kind } = await sys.fstat(fd);
    if (kind === "fifo") return "PIPE";
    if (kind === "file") return "FILE";
    if (kind === "socket") return await socketKindOf(sys, fd);
    if (kind !== "device") return "UNKNOWN";
    return (await isTerminal(sys, fd)) ? "TTY" : "FILE";
  } catch (error) {
    if (isKernelError(error)) return "UNKNOWN";
    throw error;
  }
}

async function socketKindOf(sys: Sys, fd: number): Promise<string> {
  const domain = await sys.getsockopt(fd, "SO_DOMAIN");
  const type = await sys.getsockopt(fd, "SO_TYPE");
  if (domain === AF_UNIX) return type === SOCK_STREAM ? "PIPE" : "UNKNOWN";
  return type === SOCK_STREAM ? "TCP" : "UDP";
}

async function tryWrite(sys: Sys, fd: number, data: Uint8Array): Promise<number> {
  const part = data.subarray(0, CHUNK_BYTES);
  try {
    return await sys.sendto(fd, part, { flags: MSG_DONTWAIT | MSG_NOSIGNAL });
  } catch (error) {
    if (isKernelError(error, "EAGAIN")) return 0;
    if (!isKernelError(error, "ENOTSOCK")) throw error;
  }
  // An fd that others may share is left as it is: what could wait is written later.
  const flags = await sys.fcntl(fd, { request: "F_GETFL" });
  if ((flags & O_NONBLOCK) === 0) return 0;
  try {
    return await sys.write(fd, part);
  } catch (error) {
    if (isKernelError(error, "EAGAIN")) return 0;
    throw error;
  }
}

/**
 * Waits until there is something to read. The kernel goes on waiting after the call is given up; of such
 * waits a process has a limited number: EAGAIN.
 */
async function waitWhileWanted(
  { sys, state }: Guest,
  fd: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this function puts it there
  const abandoned = (state.get(ABANDONED) ?? { count: 0 }) as { count: number };
  state.set(ABANDONED, abandoned);
  if (abandoned.count >= ABANDONED_LIMIT) throw new KernelError("EAGAIN");
  const abandon = (): void => {
    abandoned.count += 1;
  };
  signal?.addEventListener("abort", abandon);
  try {
    await waitReadable(sys, fd);
  } finally {
    signal?.removeEventListener("abort", abandon);
    if (signal?.aborted === true) abandoned.count -= 1;
  }
}

/** Waits until there is something to read. */
export async function waitReadable(sys: Sys, fd: number): Promise<void> {
  await sys.poll([{ fd, events: POLLIN }], -1);
}
