import type { Kernel } from "../../kernel/index.ts";
import type { CellResult } from "../wire/cell-methods.ts";
import { PROCESS_COMMAND_CHARACTERS } from "../wire/messages.ts";
import { pageOf } from "./page-of.ts";

/** The VM's processes without the host's own, by their pids, from after one on. */
export function listProcesses(kernel: Kernel, after: number): CellResult<"processes"> {
  const rest = kernel.processes
    .list()
    .filter(({ isTrusted, pid }) => !isTrusted && pid > after)
    .sort((a, b) => a.pid - b.pid)
    .map((process) => ({
      pid: process.pid,
      ppid: process.parent?.pid ?? 0,
      pgid: process.pgid,
      sid: process.session.sid,
      uid: process.credentials.euid,
      state: process.state,
      command: process.argv.join(" ").slice(0, PROCESS_COMMAND_CHARACTERS),
      startedMs: process.startedMs,
    }));
  const processes = [...pageOf(rest)];
  return { processes, isEnd: processes.length === rest.length };
}
