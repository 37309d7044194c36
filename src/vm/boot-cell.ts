/** Makes a VM of a cell: what it may ask the server for, and what its kernel starts with. */
import { isKernelError, resolveLimits } from "../kernel/index.ts";
import type { CellClient } from "./broker/cell-client.ts";
import { CellRequests } from "./broker/cell-requests.ts";
import { CommandService } from "./broker/commands/command-service.ts";
import type { Disk } from "./broker/folders/disk.ts";
import { MountService } from "./broker/mounts/mount-service.ts";
import { closeSoftware, type OpenSoftware, openSoftware } from "./broker/software/open-software.ts";
import { CellToolkits } from "./broker/toolkits/cell-toolkits.ts";
import { policyOf, toolkitsInVm } from "./broker/toolkits/granted-toolkits.ts";
import type { ToolAudit } from "./broker/toolkits/tool-audit.ts";
import { HostError } from "./host-error.ts";
import { memoryBytesOf } from "./memory-options.ts";
import type { MountedVm } from "./own-mounts.ts";
import { placeSoftware } from "./software-options.ts";
import { bootMount, checkMounts, type VmMount } from "./vm-mount.ts";
import type { VmOptions } from "./vm-options.ts";
import { MOUNT_REQUESTS_LIMIT } from "./wire/mount-requests.ts";

export interface CellBoot {
  readonly hostname: string;
  readonly options: VmOptions;
  /** Whose thread works on folders of the host. */
  readonly disk: Disk;
  /** Where calls of tools are recorded. */
  readonly toolAudit: ToolAudit;
  readonly log: (line: string) => void;
}

/** The options with the mounts that are made for this VM. VM_OPTIONS_INVALID. */
export async function withOwnMounts(options: VmOptions, vm: MountedVm): Promise<VmOptions> {
  if (options.makeMounts === undefined) return options;
  const mounts = [...(options.mounts ?? []), ...(await options.makeMounts(vm))];
  checkMounts(mounts);
  return { ...options, mounts };
}

/** The folders a VM is to get, opened before a cell is taken for it. SOFTWARE_UNAVAILABLE. */
export async function findSoftware({ options, disk }: CellBoot): Promise<OpenSoftware[]> {
  return openSoftware(disk, placeSoftware(options.software ?? []));
}

export interface ServedCell {
  readonly requests: CellRequests;
  /** The cell is gone: whatever is done for it is given up. */
  close(): void;
}

/** What serves the cell's requests, with a copy of the policy that the cell cannot reach. */
export function serveCell(
  cell: CellClient,
  boot: CellBoot,
  software: readonly OpenSoftware[],
): ServedCell {
  const { options, log } = boot;
  const policy = policyOf(options);
  const canAsk = options.onPermissionRequest !== undefined || options.approvals !== undefined;
  const { maxToolCalls, maxHostCommands } = resolveLimits(options.limits ?? {});
  const distrust = (what: string): void => void cell.distrust(what);
  const toolkits = new CellToolkits({ cell, boot, policy, maxToolCalls });
  const { commands = [] } = options;
  const vm = boot.hostname;
  const runs = new CommandService({ vm, commands, maxHostCommands, distrust, log });
  const mounts = new MountService({
    mounts: mountsOf(options, software),
    policy,
    canAsk,
    tell: (message) => cell.tell(message),
  });
  const requests = new CellRequests({
    services: {
      toolkit: toolkits.service,
      command: runs,
      mount: mounts,
    },
    streams: cell.streams,
    limits: {
      // Each call is opened once and cancelled once.
      toolkit: 2 * maxToolCalls,
      // Each run is started, and tells its news one after the other.
      command: 2 * maxHostCommands,
      mount: MOUNT_REQUESTS_LIMIT,
    },
    reply: (message, body, sent) => cell.reply(message, body, sent),
    distrust,
    log,
  });
  const close = (): void => {
    toolkits.close();
    runs.close();
    mounts.close();
    closeSoftware(software).catch((error: unknown) => log(`software stays open: ${String(error)}`));
  };
  return { requests, close };
}

/** Software is mounted first: what is mounted later may lie in it. */
function mountsOf(options: VmOptions, software: readonly OpenSoftware[]): readonly VmMount[] {
  return [...software, ...(options.mounts ?? [])];
}

/** A cell that does not become a VM is ended. CellLost; SOFTWARE_UNAVAILABLE. */
export async function bootCell(
  cell: CellClient,
  { hostname, options }: CellBoot,
  software: readonly OpenSoftware[],
): Promise<void> {
  const { env = {}, limits = {}, permissions = {} } = options;
  const folders = software.map(({ at }) => ({ at }));
  const mounted = mountsOf(options, software);
  const taken = mounted.map(({ at }) => at);
  const policy = policyOf(options);
  const mounts = mounted.map((mount) => bootMount(mount, { taken, policy }));
  const toolkits = toolkitsInVm(options).map(({ name }) => name);
  const commands = (options.commands ?? []).map(({ name }) => name);
  try {
    await cell.call("boot", {
      hostname,
      env,
      limits,
      memoryBytes: memoryBytesOf(options),
      permissions,
      software: folders,
      mounts,
      toolkits,
      commands,
    });
  } catch (cause) {
    await cell.stop();
    if (isKernelError(cause) && cause.reason?.startsWith("limit ") === true) {
      const problem = `the VM cannot boot with it: ${cause.reason}`;
      throw new HostError("VM_OPTIONS_INVALID", { problem }, { cause });
    }
    const at = isKernelError(cause) ? cause.subject : undefined;
    const isAt = (mount: { readonly at: string }): boolean => mount.at === at;
    if (!isKernelError(cause) || !mounts.some(isAt)) throw cause;
    const problem = `nothing can be mounted there (${cause.reason ?? cause.errno})`;
    if (folders.some(isAt)) {
      throw new HostError("SOFTWARE_UNAVAILABLE", { at: at ?? "", problem }, { cause });
    }
    throw new HostError("VM_OPTIONS_INVALID", { problem: `mounts: ${at}: ${problem}` }, { cause });
  }
}
