/** A call of a traced process, told when it is complete; and the end of a process, with what it left unfinished. */
import { errnoWords } from "../abi/errno.ts";
import { isKernelError, type KernelError } from "../abi/kernel-error.ts";
import type { WaitStatus } from "../abi/wait-status.ts";
import type { Process } from "../process/process.ts";
import { ProcessEnded } from "../process/process-ended.ts";
import { renderCall } from "./render-call.ts";
import type { OpenCall, Traced } from "./tracer.ts";

/** Makes the call, and tells each tracer that wants to know. Waits while one of them is behind. */
export async function traceCall(
  process: Process,
  { name, args }: { readonly name: string; readonly args: readonly unknown[] },
  perform: () => Promise<unknown>,
): Promise<unknown> {
  const { traced } = process;
  if (traced === undefined) return perform();
  const { host } = process.kernel;
  const call: OpenCall = {
    name,
    // What is written may be overwritten once the call is complete.
    args: args.map((arg) => (arg instanceof Uint8Array && isWritten(name) ? arg.slice() : arg)),
    atMs: host.now(),
    startMs: host.monotonic(),
  };
  traced.openCalls.add(call);
  const { generation } = process;
  try {
    const result = await perform();
    tell(process, call, { result });
    return result;
  } catch (error) {
    if (isKernelError(error)) tell(process, call, { error });
    // exec does not return: the next image runs.
    else if (error instanceof ProcessEnded && isReplaced(process, call, generation))
      tell(process, call, { result: undefined });
    throw error;
  } finally {
    traced.openCalls.delete(call);
    for (const tracer of traced.tracers) await tracer.untilRoom();
  }
}

/** Called when a process ends, before its parent hears of it. */
export function traceEnd(process: Process, traced: Traced, status: WaitStatus): void {
  const { pid, comm: program } = process;
  for (const call of traced.openCalls) tell(process, call, { isUnfinished: true });
  traced.openCalls.clear();
  for (const tracer of traced.tracers) {
    if (!process.isTrusted)
      tracer.record({ kind: "end", atMs: process.kernel.host.now(), pid, program, status });
    tracer.detach(process);
  }
}

type Outcome =
  | { readonly result: unknown }
  | { readonly error: KernelError }
  | { readonly isUnfinished: true };

function tell(process: Process, call: OpenCall, outcome: Outcome): void {
  const { host } = process.kernel;
  const durationMs = Math.round((host.monotonic() - call.startMs) * 1000) / 1000;
  const { pid, comm: program } = process;
  const shared = { kind: "call", atMs: call.atMs, pid, program, call: call.name } as const;
  for (const tracer of process.traced?.tracers ?? []) {
    if (!tracer.wants(process, call.name)) continue;
    const value = "result" in outcome ? outcome.result : undefined;
    const { args, result } = renderCall(
      call,
      value,
      "result" in outcome,
      tracer.options.shownBytes,
    );
    if ("error" in outcome) {
      const { errno } = outcome.error;
      const words = `-1 ${errno} (${errnoWords(errno)})`;
      tracer.record({ ...shared, args, result: words, errno, durationMs });
    } else {
      const shown = "isUnfinished" in outcome ? "?" : result;
      tracer.record({ ...shared, args, result: shown, durationMs });
    }
  }
}

function isReplaced(process: Process, { name }: OpenCall, generation: number): boolean {
  return name === "exec" && process.state !== "zombie" && process.generation !== generation;
}

const writes: ReadonlySet<string> = new Set(["write", "pwrite", "sendto"]);

function isWritten(name: string): boolean {
  return writes.has(name);
}
