import { isKernelError, shellStatus, type WaitStatus, WUNTRACED } from "../../../kernel/index.ts";
import type { Shell } from "./shell.ts";

/** Waits for one child to end; a shell with job control also comes back when it is stopped. */
export async function waitForStatus(
  shell: Shell,
  pid: number,
  waitOnce: <T>(once: () => Promise<T>) => Promise<T> = (once) => once(),
): Promise<WaitStatus> {
  const flags = shell.options.has("monitor") ? WUNTRACED : 0;
  try {
    const waited = await shell.retry(() => waitOnce(() => shell.sys.wait({ pid, flags })));
    return waited?.status ?? { kind: "exited", code: 0 };
  } catch (error) {
    if (isKernelError(error, "ECHILD")) return { kind: "exited", code: 127 };
    throw error;
  }
}

export async function waitForChild(shell: Shell, pid: number): Promise<number> {
  return shellStatus(await waitForStatus(shell, pid));
}
