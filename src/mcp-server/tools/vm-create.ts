import { z } from "zod";
import type { LimitValues } from "../../vm/index.ts";
import { defineTool } from "../mcp-tool.ts";
import { withNotice } from "../presentation/with-notice.ts";
import { environment } from "./arguments.ts";
import { guestEnvironment } from "./guest-environment.ts";

const output = z.object({
  vm_id: z.string(),
  state: z.enum(["running"]),
  is_new: z.boolean(),
  cwd: z.string(),
  notice: z.string().optional(),
});

/** What the VM may do comes from the server's configuration; how much it may use, too, unless less is said here. */
export const vmCreate = defineTool({
  name: "vm_create",
  title: "Create a VM",
  description:
    "Creates a VM: a POSIX machine with a shell, files and common programs. " +
    "If a VM of that name exists, returns it.",
  inputSchema: z.strictObject({
    name: z
      .string()
      .optional()
      .describe("Lower-case letters, digits and hyphens. Default: a generated name"),
    env: environment.optional().describe("Environment variables for every command"),
    memory_mb: z.number().optional().describe("Memory for processes and files. Default 1024"),
    limits: z
      .record(z.string(), z.number())
      .meta({ propertyNames: undefined })
      .optional()
      .describe("Limits by the name that errors use, such as maxProcesses or cpuTimeLimitMs"),
  }),
  outputSchema: output,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  meta: { "anthropic/alwaysLoad": true },
  async handler({ name, env = {}, memory_mb: memoryMb, limits }, call) {
    const vms = await call.vms();
    (await call.ceilings()).check({ memory_mb: memoryMb, limits });
    const options = {
      env: guestEnvironment(env),
      ...(memoryMb === undefined ? {} : { memoryMb }),
      // Vms checks the names.
      ...(limits === undefined ? {} : { limits: limits satisfies Partial<LimitValues> }),
    };
    const { vm, isNew } =
      name === undefined
        ? { vm: await vms.create(options), isNew: true }
        : await vms.getOrCreate({ ...options, name });
    const created: z.output<typeof output> = {
      vm_id: vm.id,
      state: "running",
      is_new: isNew,
      cwd: vm.info().cwd,
    };
    const what = isNew ? `Created the VM "${vm.id}".` : `The VM "${vm.id}" was there already.`;
    const text = `${what} Commands start in ${created.cwd}.`;
    const answer = { structuredContent: created, content: [{ type: "text" as const, text }] };
    return withNotice(call.connection.notices.take(vm), answer);
  },
});
