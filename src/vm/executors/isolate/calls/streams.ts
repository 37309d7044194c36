// Streams and terminals by fd.
import { KernelError, POLLIN } from "../../../../kernel/index.ts";
import { bytes, int } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";

export const streamCalls: Calls = {
  async handleKind({ sys }, args) {
    const fd = int(args, 0);
    try {
      const { kind } = await sys.fstat(fd);
      if (await isTerminal(sys, fd)) return "TTY";
      if (kind === "fifo") return "PIPE";
      if (kind === "socket") return "PIPE";
      return kind === "file" || kind === "device" ? "FILE" : "UNKNOWN";
    } catch {
      return "INVALID";
    }
  },
  isTerminal: ({ sys }, args) => isTerminal(sys, int(args, 0)),
  async writeAll({ sys }, args) {
    const data = bytes(args, 1);
    let at = 0;
    while (at < data.length) at += await sys.write(int(args, 0), data.subarray(at, at + 65_536));
    return at;
  },
  async shutdownWrite({ sys }, args) {
    await sys.fstat(int(args, 0));
    return undefined;
  },
  async windowSize({ sys }, args) {
    const size = await sys.ioctl(int(args, 0), { request: "TIOCGWINSZ" });
    if (typeof size !== "object" || size === null || !("rows" in size)) throw new KernelError("ENOTTY");
    return { columns: size.cols, rows: size.rows };
  },
};

async function isTerminal(sys: Guest["sys"], fd: number): Promise<boolean> {
  try {
    await sys.ioctl(fd, { request: "TIOCGWINSZ" });
    return true;
  } catch {
    return false;
  }
}

/** Waits until there is something to read, or the call is given up. */
export async function waitReadable(sys: Guest["sys"], fd: number): Promise<void> {
  await sys.poll([{ fd, events: POLLIN }], -1);
}
