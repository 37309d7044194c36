import { isKernelError, signals, type WaitStatus } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";

/**
 * Waits for a command of a script as bash does: an interrupt that comes meanwhile is the command's, which may go on.
 * A shell whose command it ended ends as well.
 */
export async function sharingInterrupt(
  shell: Shell,
  wait: (waitOnce: WaitOnce) => Promise<WaitStatus[]>,
): Promise<WaitStatus[]> {
  const { sys } = shell;
  const before = await sys.sigaction(signals.SIGINT, "catch");
  if (before !== "default") {
    await sys.sigaction(signals.SIGINT, before);
    return wait((once) => once());
  }
  let isInterrupted = false;
  const patient: WaitOnce = async (once) => {
    for (;;) {
      try {
        return await once();
      } catch (error) {
        if (!isKernelError(error, "EINTR")) throw error;
        if ((await sys.sigtimedwait([signals.SIGINT], 0)) === undefined) throw error;
        isInterrupted = true;
      }
    }
  };
  let statuses: WaitStatus[];
  try {
    statuses = await wait(patient);
  } finally {
    await sys.sigaction(signals.SIGINT, "default");
  }
  const last = statuses.at(-1);
  const isEnded = last?.kind === "signaled" && last.signal === signals.SIGINT;
  if (isInterrupted && isEnded) await sys.kill(await sys.getpid(), signals.SIGINT);
  return statuses;
}

/** Makes a call that waits, until what interrupts it is somebody else's business. */
export type WaitOnce = <T>(once: () => Promise<T>) => Promise<T>;
