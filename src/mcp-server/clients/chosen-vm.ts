import type { Vm } from "../../vm/index.ts";
import type { McpCall } from "../mcp-tool.ts";

/** The VM that a call names, or else its client's own. VM_NOT_FOUND, VM_GONE. */
export async function chosenVm(call: McpCall, vmId: string | undefined): Promise<Vm> {
  const vms = await call.vms();
  return vmId === undefined ? await call.connection.ownVms.get(vms, call) : vms.get(vmId);
}
