import { z } from "zod";
import type { SandboxController } from "../../sandbox-escalation/index.ts";
import type { Exec, PendingApproval, Vm } from "../../vm/index.ts";
import { pendingApproval, pendingText, presentPending } from "../approvals/present-pending.ts";
import { defineTool } from "../mcp-tool.ts";

const count = z.number().meta({ type: "integer" });

const output = z.object({
  vms: z.array(
    z.object({
      vm_id: z.string(),
      state: z.enum(["running", "lost", "destroyed"]),
      /** All that run, and the newest of those that have ended. */
      execs: z.array(
        z.object({
          exec_id: z.string(),
          command: z.string(),
          status: z.enum(["running", "exited", "killed", "timed_out", "lost"]),
          exit_code: count.optional(),
        }),
      ),
      /** What somebody must agree to first. */
      pending: z.array(pendingApproval).optional(),
      /** Of VMs that can have one. */
      sandbox: z
        .object({ state: z.string(), provider: z.string().optional(), processes: count })
        .optional(),
      /** What the VM has of the host's memory now, and what its processes and files may have. */
      memory_bytes: count.optional(),
      memory_limit_bytes: count,
      restarts: count,
      created_at: z.string(),
    }),
  ),
});

type VmRow = z.output<typeof output>["vms"][number];

const endedShown = 5;
const commandLength = 80;

export const vmList = defineTool({
  name: "vm_list",
  title: "List VMs",
  description: "Lists all VMs, or one, with their commands.",
  inputSchema: z.strictObject({ vm_id: z.string().optional() }),
  outputSchema: output,
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  meta: { "anthropic/searchHint": "show VMs machines running commands" },
  async handler({ vm_id }, call) {
    const all = await call.vms();
    const pending = (await call.approvals()).approvals.list();
    const sandboxes = await call.sandboxes();
    const vms = (vm_id === undefined ? all.list() : [all.get(vm_id)]).map((vm) => ({
      ...describeVm(vm, pending),
      ...describeSandbox(sandboxes?.find(vm.id)),
    }));
    const text = vms.length === 0 ? "There are no VMs." : vms.map(lineOf).join("\n");
    return { structuredContent: { vms }, content: [{ type: "text", text }] };
  },
});

function describeVm(vm: Vm, pending: readonly PendingApproval[]): VmRow {
  const { id, state, execs, memoryBytes, memoryLimitBytes, restarts, createdAt } = vm.info();
  const own = pending.filter((approval) => approval.vm === id);
  const ended = execs.filter((exec) => !exec.isRunning).slice(-endedShown);
  return {
    vm_id: id,
    state,
    execs: execs.filter((exec) => exec.isRunning || ended.includes(exec)).map(describeExec),
    ...(own.length === 0 ? {} : { pending: presentPending(own) }),
    ...(memoryBytes === undefined ? {} : { memory_bytes: memoryBytes }),
    memory_limit_bytes: memoryLimitBytes,
    restarts,
    created_at: new Date(createdAt).toISOString(),
  };
}

function describeSandbox(controller: SandboxController | undefined): Pick<VmRow, "sandbox"> {
  if (controller === undefined) return {};
  const { state, offer, runningProcesses } = controller.status();
  const provider = offer === undefined ? {} : { provider: offer.provider.id };
  return { sandbox: { state, ...provider, processes: runningProcesses } };
}

function describeExec(exec: Exec): VmRow["execs"][number] {
  const { state, exitCode } = exec.status();
  const { id } = exec;
  const command = exec.command
    .slice(0, 2 * commandLength)
    .replace(/\s+/g, " ")
    .trim();
  const isLong = command.length > commandLength;
  return {
    exec_id: id,
    command: isLong ? `${command.slice(0, commandLength)}…` : command,
    status: state,
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
  };
}

function lineOf(row: VmRow): string {
  const { vm_id, state, execs, pending = [], memory_bytes = 0, memory_limit_bytes, sandbox } = row;
  const commands = execs.map(({ exec_id, command, status, exit_code }) => {
    const end = exit_code === undefined ? status : `${status} ${exit_code}`;
    return `\n  ${exec_id} [${end}] ${command}`;
  });
  const waiting = pending.length === 0 ? "" : `\n  ${pendingText(pending)}`;
  const memory = `${Math.round(memory_bytes / 2 ** 20)} of ${memory_limit_bytes / 2 ** 20} MiB`;
  const beside = sandbox === undefined ? "" : `, sandbox ${sandbox.state}`;
  return `${vm_id}: ${state}, ${memory}${beside}${commands.join("")}${waiting}`;
}
