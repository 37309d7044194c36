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

export interface TreeMemory {
  /** Each page counted by its share (PSS). Shares of Node's own code change with who else runs it. */
  readonly shareBytes: number;
  /** The part that is no file's: what the processes have allocated. */
  readonly anonymousBytes: number;
}

/** A process that hides its memory from us (a cell, unless we are root) counts with its own only. */
export function treeMemory(root: number): TreeMemory {
  const parts = processTree(root).map(processMemory);
  return {
    shareBytes: parts.reduce((sum, { shareBytes }) => sum + shareBytes, 0),
    anonymousBytes: parts.reduce((sum, { anonymousBytes }) => sum + anonymousBytes, 0),
  };
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

function processMemory(pid: number): TreeMemory {
  const rollup = readProc(pid, "smaps_rollup");
  if (rollup === undefined || rollup === "") {
    const own = kilobytes(readProc(pid, "status") ?? "", "RssAnon");
    return { shareBytes: own, anonymousBytes: own };
  }
  return {
    shareBytes: kilobytes(rollup, "Pss"),
    anonymousBytes: kilobytes(rollup, "Pss_Anon") + kilobytes(rollup, "Pss_Shmem"),
  };
}

/** The value of a `Name:  123 kB` line, in bytes. */
function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0) * 1024;
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
