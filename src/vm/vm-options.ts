import {
  isKernelError,
  type LimitValues,
  type PermissionAnswer,
  type PermissionRequest,
  type PermissionsConfig,
  Policy,
  resolveLimits,
} from "../kernel/index.ts";
import type { Approver } from "./approvals/approval.ts";
import { HostError } from "./host-error.ts";
import { placeSoftware, type SoftwareOption } from "./software-options.ts";

/** Answers a permission that the policy says to ask for. Aborted when the guest no longer waits. */
export type AnswerPermission = (
  request: PermissionRequest,
  signal: AbortSignal,
) => Promise<PermissionAnswer>;

export interface VmOptions {
  /** The VM's id; one is made up when it is left out. */
  readonly name?: string;
  /** Variables of every command, beside the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
  readonly permissions?: PermissionsConfig;
  readonly limits?: Partial<LimitValues>;
  /** Folders of the host to read in the VM, see docs/software.md. */
  readonly software?: readonly SoftwareOption[];
  /** Answers what the policy says to ask for; without it `approvals` does. */
  readonly onPermissionRequest?: AnswerPermission;
  /** Who agrees to tools that need approval and to what the policy says to ask for; else all is denied. */
  readonly approvals?: Approver;
}

/** The longest environment that is taken; it must fit one message to the cell. */
const ENV_LIMIT_BYTES = 128 * 1024;

/** Fails with VM_NAME_INVALID or VM_OPTIONS_INVALID. */
export function checkVmOptions(options: VmOptions): void {
  const { name, env = {}, limits = {}, permissions = {}, software = [] } = options;
  if (name !== undefined && !/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) {
    throw new HostError("VM_NAME_INVALID", { vm: name.slice(0, 80) });
  }
  let size = 0;
  for (const [variable, value] of Object.entries(env)) {
    size += variable.length + value.length;
    if (variable === "" || variable.includes("=") || `${variable}${value}`.includes("\0")) {
      throw new HostError("VM_OPTIONS_INVALID", { problem: `"${variable}" cannot be a variable` });
    }
  }
  if (size > ENV_LIMIT_BYTES) {
    throw new HostError("VM_OPTIONS_INVALID", {
      problem: `env has more than ${ENV_LIMIT_BYTES} characters`,
    });
  }
  placeSoftware(software);
  try {
    resolveLimits(limits);
    checkPolicy(permissions);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new HostError(
      "VM_OPTIONS_INVALID",
      { problem: `${error.subject ?? ""}: ${error.reason ?? error.errno}` },
      { cause: error },
    );
  }
}

function checkPolicy(permissions: PermissionsConfig): Policy {
  return new Policy(permissions);
}
