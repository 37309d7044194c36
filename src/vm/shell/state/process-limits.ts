/** The limits that `ulimit` shows and sets. */
import type { Shell } from "./shell.ts";

/** Undefined is unlimited. */
export interface Limit {
  readonly soft: number | undefined;
  readonly hard: number | undefined;
}

/** Letter, label and unit, in bash's order. */
export const limitRows: readonly (readonly [letter: string, label: string, unit: string])[] = [
  ["R", "real-time non-blocking time", "microseconds"],
  ["c", "core file size", "blocks"],
  ["d", "data seg size", "kbytes"],
  ["e", "scheduling priority", ""],
  ["f", "file size", "blocks"],
  ["i", "pending signals", ""],
  ["l", "max locked memory", "kbytes"],
  ["m", "max memory size", "kbytes"],
  ["n", "open files", ""],
  ["p", "pipe size", "512 bytes"],
  ["q", "POSIX message queues", "bytes"],
  ["r", "real-time priority", ""],
  ["s", "stack size", "kbytes"],
  ["t", "cpu time", "seconds"],
  ["u", "max user processes", ""],
  ["v", "virtual memory", "kbytes"],
  ["x", "file locks", ""],
];

/** The shell's limits, asked of the kernel the first time. */
export async function readLimits(shell: Shell): Promise<Map<string, Limit>> {
  if (shell.limits !== undefined) return shell.limits;
  const { maxOpenFds, maxProcesses } = await shell.sys.getrlimits();
  const both = (value: number): Limit => ({ soft: value, hard: value });
  shell.limits = new Map([
    ["c", { soft: 0, hard: undefined }],
    ["e", both(0)],
    ["i", both(maxProcesses)],
    ["l", both(8192)],
    ["n", both(maxOpenFds)],
    ["p", both(8)],
    ["q", both(819_200)],
    ["r", both(0)],
    ["s", { soft: 8192, hard: undefined }],
    ["u", both(maxProcesses)],
  ]);
  return shell.limits;
}
