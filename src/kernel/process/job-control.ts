import type { JobControl } from "../pty/job-control.ts";
import { Process } from "./process.ts";
import type { ProcessTable } from "./process-table.ts";
import { sendSignal, signalGroup } from "./send-signal.ts";

/** What terminals ask of the process table. */
export function jobControl(processes: ProcessTable): JobControl {
  return {
    callerOf: (waiter) => (waiter instanceof Process ? waiter : undefined),
    signalGroup: (pgid, signal) => signalGroup(processes.group(pgid), signal),
    signalProcess: (pid, signal) => {
      const process = processes.find(pid);
      if (process !== undefined) sendSignal(process, signal);
    },
    isOrphaned: (pgid) => processes.isOrphanedGroup(pgid),
    findSession: (pgid) => processes.group(pgid)[0]?.session.sid,
  };
}
