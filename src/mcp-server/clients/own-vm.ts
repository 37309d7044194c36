import type { Vm, Vms } from "../../vm/index.ts";
import type { McpCall } from "../mcp-tool.ts";
import { ownVmName } from "./client-identity.ts";

/**
 * The VM that a client has without naming one: always the same, made if it is not there. The first
 * answer to a connection names it.
 */
export async function ownVm(vms: Vms, call: McpCall): Promise<Vm> {
  const name = ownVmName(await call.identity());
  const { vm, isNew } = await vms.getOrCreate({ name });
  const { ownVms, notices } = call.connection;
  if (ownVms.has(name)) return vm;
  ownVms.add(name);
  const what = isNew ? "a new VM" : "which has the files of earlier calls";
  notices.add(vm, `vm_id defaults to "${name}", ${what}.`);
  return vm;
}
