/** What a limit that ended a process is called, and how to raise it: for whoever started the command. */
import type { MemoryLimit } from "./vm-memory.ts";

interface Ended {
  readonly pid: number;
  readonly command: string;
}

/** Characters of a command line that are shown. */
const COMMAND_CHARACTERS = 80;

export function memoryNotice(ended: Ended, { totalBytes, sharedLimitBytes }: MemoryLimit): string {
  if (sharedLimitBytes !== undefined) {
    const limit = `the ${mebibytes(sharedLimitBytes)} MB that all VMs have together were used up`;
    return `Killed ${nameOf(ended)}: ${limit}, and this process used most of them. To raise the limit, set a larger maxMemoryMb in the server's configuration, or destroy VMs.`;
  }
  const limit = `the VM's memory of ${mebibytes(totalBytes)} MB was used up`;
  return `Killed ${nameOf(ended)}: ${limit}, and this process used most of it. To raise the limit, create the VM with a larger memoryMb.`;
}

export function heapNotice(ended: Ended, limitMb: number): string {
  const limit = `its JavaScript heap reached its limit of ${limitMb} MB`;
  return `Aborted ${nameOf(ended)}: ${limit}. To raise it, use node --max-old-space-size, limits.v8HeapLimitMb of the VM, or its memoryMb.`;
}

export function cpuNotice(
  ended: Ended,
  { cpuTimeLimitMs, cpuRefillMsPerSecond }: CpuLimits,
): string {
  const refill = `${cpuRefillMsPerSecond / 1000} s more for each second it runs`;
  const limit = `it used its ${cpuTimeLimitMs / 1000} s of CPU time (${refill})`;
  return `Ended ${nameOf(ended)}: ${limit}. To raise it, create the VM with larger limits.cpuTimeLimitMs or limits.cpuRefillMsPerSecond.`;
}

interface CpuLimits {
  readonly cpuTimeLimitMs: number;
  readonly cpuRefillMsPerSecond: number;
}

function nameOf({ pid, command }: Ended): string {
  const shown =
    command.length > COMMAND_CHARACTERS ? `${command.slice(0, COMMAND_CHARACTERS - 1)}…` : command;
  return `process ${pid} (${shown})`;
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}
