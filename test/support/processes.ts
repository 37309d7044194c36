// Looking at host processes by pid, for tests that start some and must see them gone.
import { readFileSync } from "node:fs";

export interface ProcessFacts {
  readonly parentPid: number;
  /** Processor time used so far, in clock ticks. */
  readonly ticks: number;
}

/** Undefined when the process is gone, or is a zombie that only waits to be reaped. */
export function findProcess(pid: number): ProcessFacts | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch (error) {
    if (
      error instanceof Error &&
      "code" in error &&
      (error.code === "ENOENT" || error.code === "ESRCH")
    )
      return undefined;
    throw error;
  }
  // The name in parentheses may hold spaces; fields are counted from behind it, see proc_pid_stat(5).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return undefined;
  return { parentPid: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
}
