/** Commands a program runs through the shell. */
import { isKernelError, type Sys, type WaitStatus } from "../../../kernel/index.ts";

export interface Child {
  /** Waits for its end. */
  wait(): Promise<WaitStatus | undefined>;
}

export async function startShell(
  sys: Sys,
  command: string,
  fds: readonly { readonly fd: number; readonly from: number }[],
): Promise<Child> {
  const pid = await sys.spawn({ path: "/bin/sh", argv: ["sh", "-c", command], fds: [...fds] });
  return { wait: () => waitFor(sys, pid) };
}

async function waitFor(sys: Sys, pid: number): Promise<WaitStatus | undefined> {
  for (;;) {
    try {
      return (await sys.wait({ pid }))?.status;
    } catch (error) {
      if (isKernelError(error, "ECHILD")) return undefined;
      if (!isKernelError(error, "EINTR")) throw error;
    }
  }
}

/** gawk's number for how a command ended: its status, or 256 and the signal. */
export function exitNumber(status: WaitStatus | undefined): number {
  if (status === undefined) return -1;
  return status.kind === "exited" ? status.code : 256 + ("signal" in status ? status.signal : 0);
}
