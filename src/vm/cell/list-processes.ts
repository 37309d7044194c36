import type { Kernel } from "../../kernel/index.ts";
import type { ProcessInfo } from "../wire/cell-methods.ts";

/** The longest command line shown; 256 of them must fit a frame's header. */
const COMMAND_CHARACTERS = 512;

/** The VM's processes without the host's own. */
export function listProcesses(kernel: Kernel): ProcessInfo[] {
  return kernel.processes
    .list()
    .filter(({ isTrusted }) => !isTrusted)
    .map((process) => ({
      pid: process.pid,
      ppid: process.parent?.pid ?? 0,
      pgid: process.pgid,
      sid: process.session.sid,
      uid: process.credentials.euid,
      state: process.state,
      command: process.argv.join(" ").slice(0, COMMAND_CHARACTERS),
      startedMs: process.startedMs,
    }));
}
