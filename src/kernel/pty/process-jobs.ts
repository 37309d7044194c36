import { Process } from "../process/process.ts";
import type { ProcessTable } from "../process/process-table.ts";
import { sendSignal, signalGroup } from "../process/send-signal.ts";
import type { JobControl } from "./job-control.ts";

/** Job control over a VM's process table. */
export function processJobs(processes: ProcessTable): JobControl {
  return {
    callerOf: (waiter) => (waiter instanceof Process ? waiter : undefined),
    signalGroup: (pgid, signal) => signalGroup(processes.group(pgid), signal),
    signalProcess: (pid, signal) => {
      const process = processes.find(pid);
      if (process !== undefined) sendSignal(process, signal);
    },
    isOrphaned: (pgid) => processes.group(pgid).every(isLeftAlone),
    findSession: (pgid) => processes.group(pgid)[0]?.session.sid,
  };
}

/** No parent in the same session that could continue it, see setpgid(2) on orphaned groups. */
function isLeftAlone({ parent, pgid, session }: Process): boolean {
  return parent === undefined || parent.pgid === pgid || parent.session !== session;
}
