import { KernelError } from "../abi/kernel-error.ts";
import type { Process } from "../process/process.ts";
import { ProcessEnded } from "../process/process-ended.ts";
import { type SyscallName, syscalls } from "./table.ts";

type AnyHandler = (process: Process, ...args: unknown[]) => Promise<unknown>;

/**
 * The only caller of a handler. A stopped process waits here, an ended one goes no further; guests
 * that call without end let the host have its turns. Lets nothing out but a KernelError (and
 * ProcessEnded, which unwinds): anything else is our bug, logged in full and EIO to the guest.
 */
export async function dispatch(
  process: Process,
  generation: number,
  name: SyscallName,
  args: readonly unknown[],
): Promise<unknown> {
  const turn = process.kernel.turns.take();
  if (turn !== undefined) await turn;
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
