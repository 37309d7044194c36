import type { Vm } from "../../vm/index.ts";
import type { McpCall } from "../mcp-tool.ts";
import { ownVm } from "./own-vm.ts";

/** The VM that a call names, or else the one its connection has without naming any. VM_NOT_FOUND. */
export async function chosenVm(call: McpCall, vmId: string | undefined): Promise<Vm> {
  const vms = await call.vms();
  return vmId === undefined ? await ownVm(vms, call.connection) : vms.get(vmId);
}
