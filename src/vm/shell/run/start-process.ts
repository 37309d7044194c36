/** Starting processes where the VM may have no room for one more. */
import { isKernelError, WNOHANG } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import { forgetCoprocess } from "./coprocess.ts";

/**
 * Starts a process. Where the VM has no room for it, takes in the background jobs that have ended, as bash does
 * whenever a child ends, and tries again while that makes room. EAGAIN.
 */
export async function startProcess(shell: Shell, start: () => Promise<number>): Promise<number> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!isKernelError(error, "EAGAIN") || !(await collectJobs(shell))) throw error;
    }
  }
}

/** Whether a process of a job had ended. Others, as of a pipeline that is being started, are waited for elsewhere. */
async function collectJobs(shell: Shell): Promise<boolean> {
  // Those that were just started have not had a turn.
  await shell.sys.schedYield();
  let hasAny = false;
  for (const job of shell.jobs.list()) {
    for (const pid of job.pids.filter((one) => job.state === "running" && !job.statuses.has(one))) {
      const waited = await tryWait(shell, pid);
      if (waited === undefined) continue;
      hasAny = true;
      shell.jobs.note(pid, waited.status);
      await forgetCoprocess(shell, pid);
    }
  }
  return hasAny;
}

async function tryWait(
  shell: Shell,
  pid: number,
): Promise<Awaited<ReturnType<Shell["sys"]["wait"]>>> {
  try {
    return await shell.sys.wait({ pid, flags: WNOHANG });
  } catch (error) {
    if (isKernelError(error, "ECHILD")) return undefined;
    throw error;
  }
}
