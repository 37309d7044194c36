// `agentos-mcp trace VM`: the system calls of a VM's processes as they happen, until Ctrl-C. Runs on Node 20.
import type { CommandContext } from "../command-list.ts";
import { noVmRemedy } from "../control/no-vm-remedy.ts";
import { ControlError } from "../control/running-call.ts";
import { UsageError } from "../settings.ts";
import { connectToRunning } from "./connect-to-running.ts";
import { OutputPipe } from "./output-pipe.ts";
import type { TraceParams } from "./trace-methods.ts";

/** Resolves to 0 when the VM or the person has ended the trace, to 1 when there is nothing to trace. */
export async function trace(context: CommandContext): Promise<number> {
  const params = readParams(context);
  const client = await connectToRunning(context);
  if (client === undefined) {
    context.say(`There is no VM named "${params.vm}". ${noVmRemedy}`);
    return 1;
  }
  const output = new OutputPipe(() => call.cancel());
  const call = client.call(
    "trace",
    { ...params },
    {
      onEvent: () => context.say(`Tracing the VM "${params.vm}"; Ctrl-C ends it.`),
      onBytes: (bytes) => output.write("stdout", bytes),
    },
  );
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    call.cancel();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, stop);
  try {
    await call.result;
    return 0;
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    if (isStopped || output.loss?.isReaderGone === true) return 0;
    context.say(error.message);
    return 1;
  } finally {
    await client.close();
  }
}

function readParams({ words, flags, switches }: CommandContext): TraceParams {
  const [vm, ...more] = words;
  if (vm === undefined || more.length > 0)
    throw new UsageError(
      "Give one VM: agentos-mcp trace VM [--pid N] [--calls open,spawn] [--json]",
    );
  const pid = flags.get("pid");
  if (pid !== undefined && !/^[1-9]\d{0,9}$/.test(pid))
    throw new UsageError(`--pid takes the number of a process, not "${pid}".`);
  const calls = flags.get("calls");
  return {
    vm,
    isJson: switches.has("json"),
    ...(pid === undefined ? {} : { pid: Number(pid) }),
    ...(calls === undefined ? {} : { calls: calls.split(",") }),
  };
}
