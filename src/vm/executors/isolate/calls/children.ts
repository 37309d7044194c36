// Child processes: starting them, and hearing of their end.
import { findSignalName, isKernelError } from "../../../../kernel/index.ts";
import type { Packed } from "../../../node/wire/pack.ts";
import { int, number, record } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";
import { runChild } from "./run-child.ts";
import { childWish, startChild } from "./start-child.ts";

export const childCalls: Calls = {
  /** {pid, failure, pipes: [[the child's fd, the own fd]]} */
  async spawn(guest, args) {
    const { pid, failure, pipes } = await startChild(guest, childWish(args, 0));
    return {
      pid,
      failure: failure?.errno,
      pipes: [...pipes].map(([fd, own]): Packed => [fd, own]),
    };
  },
  /** [exit code, signal's name or ""] */
  waitChild: ({ sys }, args) => waitFor(sys, int(args, 0)),
  /** Runs a child to its end: all of spawnSync. */
  async spawnSync(guest, args) {
    const options = record(args, 1);
    return runChild(guest, childWish(args, 0), {
      timeoutMs: number([options["timeout"]], 0),
      maxBuffer: number([options["maxBuffer"]], 0),
      killSignal: int([options["killSignal"]], 0),
      inputs: options["inputs"],
    });
  },
};

async function waitFor(sys: Guest["sys"], pid: number): Promise<Packed> {
  for (;;) {
    try {
      const waited = await sys.wait({ pid });
      if (waited?.status.kind === "signaled")
        return [0, findSignalName(waited.status.signal) ?? ""];
      return [waited?.status.kind === "exited" ? waited.status.code : 0, ""];
    } catch (error) {
      if (!isKernelError(error, "EINTR")) throw error;
    }
  }
}
