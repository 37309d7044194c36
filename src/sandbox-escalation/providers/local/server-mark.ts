// A name for a running server that no later process has: its pid, and when it started.
import { readFileSync } from "node:fs";

/** This process's mark: `<pid>-<start in clock ticks since boot>`. */
export function readServerMark(): string {
  return `${process.pid}-${readStart(process.pid) ?? 0}`;
}

export function isServerAlive(mark: string): boolean {
  const [pid = "", start = ""] = mark.split("-");
  return String(readStart(Number(pid)) ?? "none") === start;
}

/**
 * Fields 3 and 22 of /proc/[pid]/stat, see proc_pid_stat(5); the name in field 2 may hold anything. One that has
 * ended and that nobody has waited for yet counts as gone.
 */
function readStart(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : Number(fields[19]);
  } catch {
    return undefined;
  }
}
