import { HostError } from "../../vm/host-error.ts";
import type { Vm, Vms } from "../../vm/index.ts";
import type { McpConnection } from "../mcp-tool.ts";

/** The VM that a connection has without naming one: made with the first use, ended with the connection. */
export async function ownVm(vms: Vms, connection: McpConnection): Promise<Vm> {
  const name = `client-${connection.id}`;
  const found = vms.find(name);
  if (found !== undefined) return found;
  try {
    const vm = await vms.create({ name });
    const end = (): void => {
      vm.destroy().catch(() => undefined);
    };
    connection.signal.addEventListener("abort", end, { once: true });
    if (connection.signal.aborted) end();
    return vm;
  } catch (error) {
    // Two calls at once: the other has made it.
    if (error instanceof HostError && error.code === "VM_EXISTS") return vms.get(name);
    throw error;
  }
}
