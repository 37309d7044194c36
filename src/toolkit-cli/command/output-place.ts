/** Where output goes: whether somebody reads it, or a program. */
import { HOST_STREAM_DEVICE, isKernelError, type Sys } from "../../kernel/index.ts";

/** host: out of the VM, to whoever ran the command. inside: a pipe, a file or a socket of the VM. */
export type OutputPlace = "terminal" | "host" | "inside";

export async function findOutputPlace(sys: Sys, fd: number): Promise<OutputPlace> {
  try {
    const { kind, dev } = await sys.fstat(fd);
    if (kind === "fifo") return dev === HOST_STREAM_DEVICE ? "host" : "inside";
    if (kind !== "device") return "inside";
    await sys.ioctl(fd, { request: "TIOCGWINSZ" });
    return "terminal";
  } catch (error) {
    if (isKernelError(error)) return "inside";
    throw error;
  }
}
