import { KernelError } from "../abi/kernel-error.ts";
import { killForMemory } from "../process/kill-largest.ts";
import type { Process } from "../process/process.ts";
import { ProcessEnded } from "../process/process-ended.ts";
import { traceCall } from "../trace/trace-call.ts";
import { type SyscallName, syscalls } from "./table.ts";

type AnyHandler = (process: Process, ...args: unknown[]) => Promise<unknown>;

/** Every call of every process comes by here. One that nobody traces pays this comparison for it. */
export function dispatch(
  process: Process,
  generation: number,
  name: SyscallName,
  args: readonly unknown[],
): Promise<unknown> {
  if (process.traced !== undefined) return performTraced(process, generation, name, args);
  return perform(process, generation, name, args);
}

/** Apart, for its closure: a function that has one is slower whether or not it makes it. */
function performTraced(
  process: Process,
  generation: number,
  name: SyscallName,
  args: readonly unknown[],
): Promise<unknown> {
  return traceCall(process, { name, args }, () => perform(process, generation, name, args));
}

/**
 * The only caller of a handler. A stopped process waits here, an ended one goes no further; guests
 * that call without end let the host have its turns. Lets nothing out but a KernelError (and
 * ProcessEnded, which unwinds): anything else is our bug, logged in full and EIO to the guest.
 */
async function perform(
  process: Process,
  generation: number,
  name: SyscallName,
  args: readonly unknown[],
): Promise<unknown> {
  const { kernel } = process;
  const nowMs = kernel.host.monotonic();
  kernel.cpu.charge(process, nowMs);
  const turn = kernel.turns.take(nowMs);
  if (turn !== undefined) {
    await turn;
    kernel.load.sample(nowMs, () => kernel.totalCpuMs());
    requireMemory(process, name);
  }
  if (process.state !== "running" || process.generation !== generation)
    await process.proceed(generation);
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table's own type gives callers of Sys the exact one
    return await (syscalls[name].handler as unknown as AnyHandler)(process, ...args);
  } catch (error) {
    if (error instanceof KernelError || error instanceof ProcessEnded) throw error;
    process.kernel.host.log({
      level: "bug",
      message: `${name} failed in pid ${process.pid}`,
      cause: error,
    });
    throw new KernelError("EIO", name);
  } finally {
    // Deviation: a call under way when its process is stopped is finished first; Linux breaks it off
    // and starts it again.
    if (process.state !== "running" || process.generation !== generation)
      await process.proceed(generation);
  }
}

/** Turns after which a process counts as one that computes. */
const BUSY_TURNS = 8;
/** Calls that a loop is made of. */
const loopCalls: ReadonlySet<SyscallName> = new Set(["read", "write", "schedYield"]);

/**
 * Where memory is short, a process that computes pays for it, as Linux's "OOM killer" has it: its call
 * fails with ENOMEM, and the next time the process is killed.
 */
function requireMemory(process: Process, name: SyscallName): void {
  process.turns += 1;
  if (process.turns < BUSY_TURNS || process.isTrusted || !loopCalls.has(name)) return;
  if (!process.kernel.host.takeMemoryShortage()) return;
  if (process.wasShort) {
    killForMemory(process);
    return;
  }
  process.wasShort = true;
  const { totalBytes } = process.kernel.memory;
  const reason = `the VM's memory of ${Math.round(totalBytes / 1024 ** 2)} MB is used up; create it with a larger memoryMb`;
  throw new KernelError("ENOMEM", undefined, reason);
}
