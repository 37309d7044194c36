import { z } from "zod";
import { defineTool } from "../mcp-tool.ts";
import { vmId } from "./arguments.ts";

export const vmDestroy = defineTool({
  name: "vm_destroy",
  title: "Destroy a VM",
  description: "Deletes a VM with its processes and files.",
  inputSchema: z.strictObject({ vm_id: vmId }),
  outputSchema: z.object({ destroyed: z.boolean() }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  meta: { "anthropic/searchHint": "delete stop remove VM machine" },
  async handler({ vm_id }, call) {
    const vm = (await call.vms()).find(vm_id);
    await vm?.destroy();
    const destroyed = vm !== undefined;
    const text = destroyed
      ? `Destroyed the VM "${vm_id}".`
      : `There is no VM named "${vm_id.slice(0, 80)}": nothing to destroy.`;
    return { structuredContent: { destroyed }, content: [{ type: "text", text }] };
  },
});
