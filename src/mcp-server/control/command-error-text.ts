import { HostError, type HostErrorCode } from "../../vm/host-error.ts";
import { hostErrorText } from "../host-error-text.ts";
import { noVmRemedy } from "./no-vm-remedy.ts";

/** Where the remedy for people at a command line is another than that for MCP clients. */
const remedies: ReadonlyMap<HostErrorCode, string> = new Map<HostErrorCode, string>([
  ["VM_NOT_FOUND", noVmRemedy],
  ["VM_EXISTS", "Use it, pick another name, or end it with agentos-mcp vms destroy."],
  ["VM_DESTROYED", "Run the command again: the VM is made anew."],
  ["VM_LOST", "Run the command again. The VM starts with an empty file system."],
  ["VMS_LIMIT", "End a VM with agentos-mcp vms destroy, or raise maxVms."],
  ["SERVER_CLOSING", "Run the command again: a new server starts by itself."],
  ["EXEC_NOT_FOUND", "Run the command again."],
  ["EXEC_LIMIT", "Wait for a command to end, or end the VM with agentos-mcp vms destroy."],
  ["EXEC_STDIN_CLOSED", "Run the command again with all of its input."],
  ["COMMAND_TOO_LONG", 'Pipe it into "sh".'],
  ["ENV_INVALID", "Correct --env."],
  ["CONFIG_INVALID", "Correct it: the next command reads it again."],
]);

/** As hostErrorText, for people at a command line. */
export function commandErrorText(error: unknown): string | undefined {
  const remedy = error instanceof HostError ? remedies.get(error.code) : undefined;
  if (error instanceof HostError && remedy !== undefined) return `${error.message} ${remedy}`;
  return hostErrorText(error);
}
