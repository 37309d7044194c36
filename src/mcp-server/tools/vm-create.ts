import { z } from "zod";
import { defineTool } from "../mcp-tool.ts";
import { environment } from "./arguments.ts";
import { guestEnvironment } from "./guest-environment.ts";

const output = z.object({
  vm_id: z.string(),
  state: z.enum(["running"]),
  cwd: z.string(),
});

/** What the VM may do and how much it may use comes from the server's configuration. */
export const vmCreate = defineTool({
  name: "vm_create",
  title: "Create a VM",
  description: "Creates an empty VM: a POSIX machine with shell, files and common programs.",
  inputSchema: z.strictObject({
    name: z.string().optional().describe("Lower-case letters, digits, hyphens; else made up"),
    env: environment.optional().describe("Variables of every command"),
  }),
  outputSchema: output,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  meta: { "anthropic/alwaysLoad": true },
  async handler({ name, env = {} }, call) {
    const vms = await call.vms();
    const options = { env: guestEnvironment(env), ...(name === undefined ? {} : { name }) };
    const vm = await vms.create(options);
    const created: z.output<typeof output> = {
      vm_id: vm.id,
      state: "running",
      cwd: vm.info().cwd,
    };
    const text = `Created the VM "${vm.id}". Commands start in ${created.cwd}.`;
    return { structuredContent: created, content: [{ type: "text", text }] };
  },
});
