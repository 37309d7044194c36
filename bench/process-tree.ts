// A process and all that it has started: their memory, and their end. Linux only (/proc).
import { readdirSync, readFileSync } from "node:fs";

/** The pids of a process and its descendants, those that are left. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const parent = Number.isInteger(pid) ? parentOf(pid) : undefined;
    if (parent === undefined) continue;
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree.filter((pid) => parentOf(pid) !== undefined);
}

/**
 * The memory a process tree takes, each shared page counted by its share (PSS). A process that hides
 * it from us (a cell, unless we are root) counts with its private memory.
 */
export function treeMemoryBytes(root: number): number {
  return processTree(root).reduce((sum, pid) => sum + memoryBytes(pid), 0);
}

export function killTree(root: number): void {
  for (const pid of processTree(root)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

function memoryBytes(pid: number): number {
  const pss = /^Pss:\s+(\d+) kB/m.exec(readProc(pid, "smaps_rollup") ?? "");
  const own = pss ?? /^RssAnon:\s+(\d+) kB/m.exec(readProc(pid, "status") ?? "");
  return Number(own?.[1] ?? 0) * 1024;
}

/** The fields after the command, which stands in parentheses and may hold anything: state, ppid. */
function parentOf(pid: number): number | undefined {
  const stat = readProc(pid, "stat");
  return stat === undefined
    ? undefined
    : Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

/** Undefined when the process is gone or does not let us. */
function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
