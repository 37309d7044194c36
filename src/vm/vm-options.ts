import {
  isKernelError,
  type LimitValues,
  type PermissionAnswer,
  type PermissionRequest,
  type PermissionsConfig,
  Policy,
  resolveLimits,
} from "../kernel/index.ts";
import type { HostCommand, Toolkit } from "../toolkit-cli/index.ts";
import type { Approver } from "./approvals/approval.ts";
import { checkCommands } from "./check-commands.ts";
import { HostError } from "./host-error.ts";
import { checkMemory } from "./memory-options.ts";
import type { MakeMounts } from "./own-mounts.ts";
import { placeSoftware, type SoftwareOption } from "./software-options.ts";
import { checkMounts, type VmMount } from "./vm-mount.ts";

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
  /** What its processes and files may have together, in MiB; 1024 unless said otherwise. */
  readonly memoryMb?: number;
  /** Folders of the host to read in the VM, see docs/software.md. */
  readonly software?: readonly SoftwareOption[];
  /** The host's tools that the VM gets; a policy without `toolkit` grants all of them. */
  readonly toolkits?: readonly Toolkit[];
  /** Files of this process that the VM has: see docs/mounts.md. */
  readonly mounts?: readonly VmMount[];
  /** Makes mounts for this very VM whenever it boots. */
  readonly makeMounts?: MakeMounts;
  /** Commands of the VM that this process runs, see docs/host-commands.md. */
  readonly commands?: readonly HostCommand[];
  /** Answers what the policy says to ask for; without it `approvals` does. */
  readonly onPermissionRequest?: AnswerPermission;
  /** Who agrees to tools that need approval and to what the policy says to ask for; else all is denied. */
  readonly approvals?: Approver;
}

/** The longest environment that is taken; it must fit one message to the cell. */
const ENV_LIMIT_BYTES = 128 * 1024;

/** Fails with VM_NAME_INVALID or VM_OPTIONS_INVALID. */
export function checkVmOptions(options: VmOptions): void {
  const { name, env = {}, limits = {}, permissions = {}, software = [], toolkits = [] } = options;
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
  checkToolkits(toolkits);
  checkMounts(options.mounts ?? []);
  checkCommands(options.commands ?? []);
  try {
    resolveLimits(limits);
    checkMemory(options);
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

/** Toolkits of one VM: each is a command. */
const TOOLKITS_LIMIT = 200;

function checkToolkits(toolkits: readonly Toolkit[]): void {
  if (!Array.isArray(toolkits)) throw wrongToolkits("it is a list of toolkits");
  const names = new Set<string>();
  for (const { name } of toolkits) {
    const isFileName = typeof name === "string" && /^[^\s/\0]{1,200}$/u.test(name);
    if (!isFileName)
      throw wrongToolkits(`"${String(name).slice(0, 80)}" cannot be a toolkit's name`);
    if (names.has(name)) throw wrongToolkits(`two toolkits are called "${name}"`);
    names.add(name);
  }
  if (names.size > TOOLKITS_LIMIT) {
    throw wrongToolkits(`there are more than ${TOOLKITS_LIMIT} toolkits`);
  }
}

function wrongToolkits(problem: string): HostError {
  return new HostError("VM_OPTIONS_INVALID", { problem: `toolkits: ${problem}` });
}
