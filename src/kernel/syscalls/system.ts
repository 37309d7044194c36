/** Time, randomness, names and numbers of the machine. */
import { KernelError } from "../abi/kernel-error.ts";
import { WaitQueue } from "../fd/wait-queue.ts";
import type { LimitValues } from "../limits/limits.ts";
import type { MemoryLimit } from "../limits/vm-memory.ts";
import type { Process } from "../process/process.ts";

// Deviation: getrandom gives at most 64 KiB a call, where Linux gives 32 MiB.
const RANDOM_MAX = 1 << 16;

export interface Uname {
  readonly sysname: string;
  readonly nodename: string;
  readonly release: string;
  readonly version: string;
  readonly machine: string;
}

export interface SysInfo {
  readonly uptimeMs: number;
  readonly processes: number;
  readonly memory: MemoryLimit & { readonly usedBytes: number };
  readonly storage: { readonly usedBytes: number; readonly totalBytes: number };
  readonly cpus: number;
  /** Of the last minute, five and fifteen. */
  readonly loads: readonly [number, number, number];
  /** CPU time of all processes that ever were. */
  readonly cpuMs: number;
}

/** Sleeps; EINTR when a caught signal comes first. */
export async function nanosleep(process: Process, durationMs: number): Promise<void> {
  if (!(durationMs >= 0)) throw new KernelError("EINVAL", String(durationMs));
  const deadline = process.kernel.host.monotonic() + durationMs;
  const never = new WaitQueue();
  while (await process.wait(never, deadline));
}

/** Milliseconds since 1970, and on a clock that never goes back. */
export async function clock(
  process: Process,
): Promise<{ readonly nowMs: number; readonly monotonicMs: number }> {
  const { host } = process.kernel;
  return { nowMs: host.now(), monotonicMs: host.monotonic() };
}

/** Fills `into`; EINVAL beyond 64 KiB. */
export async function getrandom(process: Process, into: Uint8Array): Promise<void> {
  if (into.length > RANDOM_MAX) throw new KernelError("EINVAL");
  process.kernel.host.random(into);
}

/** The machine's names, as uname(2) has them. */
export async function uname(process: Process): Promise<Uname> {
  return process.kernel.uname;
}

/** How long the VM has run, its processes, its memory, its storage, its processors. */
export async function sysinfo(process: Process): Promise<SysInfo> {
  const { host, limits, memory, bootMs, processes, load } = process.kernel;
  const cpuMs = process.kernel.totalCpuMs();
  return {
    uptimeMs: host.monotonic() - bootMs,
    processes: processes.list().length,
    memory: {
      usedBytes: memory.usedBytes(),
      totalBytes: memory.totalBytes,
      sharedLimitBytes: memory.sharedLimitBytes,
    },
    storage: {
      usedBytes: limits.used("maxFilesystemBytes"),
      totalBytes: limits.values.maxFilesystemBytes,
    },
    cpus: host.cpus,
    loads: load.read(host.monotonic(), cpuMs),
    cpuMs,
  };
}

/** CPU time of the process, the part of it that its calls cost or programs compute, and that of the children it has waited for. */
export async function times(process: Process): Promise<{
  readonly ownMs: number;
  readonly kernelMs: number;
  readonly childrenMs: number;
}> {
  const { use, kernelCpuMs, childrenCpuMs } = process;
  return { ownMs: use.cpuMs, kernelMs: kernelCpuMs, childrenMs: childrenCpuMs };
}

/**
 * Says how much memory the process holds, for programs, whose memory the kernel does not see. When the VM's is used
 * up, the process that holds most is killed. ENOMEM beyond what the VM has.
 */
export async function hold(process: Process, bytes: number): Promise<void> {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new KernelError("EINVAL");
  const { totalBytes } = process.kernel.memory;
  if (bytes > totalBytes) {
    const reason = `the VM has ${Math.round(totalBytes / 1024 ** 2)} MB of memory; create it with a larger memoryMb`;
    throw new KernelError("ENOMEM", undefined, reason);
  }
  process.heldBytes = bytes;
}

/** The limits of the VM, for `ulimit` and /proc. */
export async function getrlimits(process: Process): Promise<LimitValues> {
  return process.kernel.limits.values;
}

/**
 * Limits this process and its children further than the VM does: RLIMIT_NOFILE. EPERM beyond the
 * VM's own limit.
 */
export async function setrlimit(
  process: Process,
  { openFds }: { readonly openFds: number },
): Promise<void> {
  if (!Number.isInteger(openFds) || openFds < 0) throw new KernelError("EINVAL");
  if (openFds > process.kernel.limits.values.maxOpenFds) throw new KernelError("EPERM");
  process.fds.setMost(openFds);
}

/**
 * Lets others run. For loops that make no other call: this is where they can be stopped or ended.
 */
export async function schedYield(_process: Process): Promise<void> {}
