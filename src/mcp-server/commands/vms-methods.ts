// The server's side of `agentos-mcp vms`.
import { z } from "zod";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import type { ControlCall } from "../control/methods.ts";

/** A VM in a list. */
export interface VmSummary {
  readonly name: string;
  readonly state: string;
  readonly runningCommands: number;
  readonly memoryBytes: number | null;
  readonly restarts: number;
  readonly createdAt: string;
}

export async function listVms(_params: FrameHeader, call: ControlCall): Promise<VmSummary[]> {
  return (await call.vms()).list().map((vm) => {
    const { id, state, execs, memoryBytes, restarts, createdAt } = vm.info();
    return {
      name: id,
      state,
      runningCommands: execs.filter((exec) => exec.isRunning).length,
      memoryBytes: memoryBytes ?? null,
      restarts,
      createdAt: new Date(createdAt).toISOString(),
    };
  });
}

/** VM_NOT_FOUND. */
export async function destroyVm(params: FrameHeader, call: ControlCall): Promise<object> {
  const { vm } = z.object({ vm: z.string() }).parse(params);
  await (await call.vms()).get(vm).destroy();
  return {};
}
