/** Makes a VM of a cell: what it may ask the server for, and what its kernel starts with. */
import { isKernelError, resolveLimits } from "../kernel/index.ts";
import type { CellClient } from "./broker/cell-client.ts";
import { CellRequests } from "./broker/cell-requests.ts";
import { CommandService } from "./broker/commands/command-service.ts";
import { MountService } from "./broker/mounts/mount-service.ts";
import type { FolderReader } from "./broker/software/folder-reader.ts";
import { openSoftware } from "./broker/software/open-software.ts";
import { type OpenSoftware, SoftwareService } from "./broker/software/software-service.ts";
import { CellToolkits } from "./broker/toolkits/cell-toolkits.ts";
import { policyOf, toolkitsInVm } from "./broker/toolkits/granted-toolkits.ts";
import type { ToolAudit } from "./broker/toolkits/tool-audit.ts";
import { HostError } from "./host-error.ts";
import type { MountedVm } from "./own-mounts.ts";
import { placeSoftware } from "./software-options.ts";
import { bootMount, checkMounts } from "./vm-mount.ts";
import type { VmOptions } from "./vm-options.ts";
import { MOUNT_REQUESTS_LIMIT } from "./wire/mount-requests.ts";

/** Requests for software of one cell under way at one time. A cell waits before it sends more. */
const SOFTWARE_REQUESTS_LIMIT = 16;

export interface CellBoot {
  readonly hostname: string;
  readonly options: VmOptions;
  readonly folders: FolderReader;
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

/** The folders a VM is to get, looked at before a cell is taken for it. SOFTWARE_UNAVAILABLE. */
export async function findSoftware({ options, folders }: CellBoot): Promise<OpenSoftware[]> {
  return openSoftware(folders, placeSoftware(options.software ?? []));
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
  const { options, folders, log } = boot;
  const policy = policyOf(options);
  const canAsk = options.onPermissionRequest !== undefined || options.approvals !== undefined;
  const { maxToolCalls, maxHostCommands } = resolveLimits(options.limits ?? {});
  const distrust = (what: string): void => void cell.distrust(what);
  const softwareService = new SoftwareService(folders, { software, policy, canAsk });
  const toolkits = new CellToolkits({ cell, boot, policy, maxToolCalls });
  const { commands = [] } = options;
  const vm = boot.hostname;
  const runs = new CommandService({ vm, commands, maxHostCommands, distrust, log });
  const mounts = new MountService({
    mounts: options.mounts ?? [],
    policy,
    canAsk,
    tell: (message) => cell.tell(message),
  });
  const requests = new CellRequests({
    services: {
      software: softwareService,
      toolkit: toolkits.service,
      command: runs,
      mount: mounts,
    },
    streams: cell.streams,
    limits: {
      software: SOFTWARE_REQUESTS_LIMIT,
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
  };
  return { requests, close };
}

/** A cell that does not become a VM is ended. CellLost; SOFTWARE_UNAVAILABLE. */
export async function bootCell(
  cell: CellClient,
  { hostname, options }: CellBoot,
  software: readonly OpenSoftware[],
): Promise<void> {
  const { env = {}, limits = {}, permissions = {} } = options;
  const folders = software.map(({ at }) => ({ at }));
  const taken = [...folders, ...(options.mounts ?? [])].map(({ at }) => at);
  const policy = policyOf(options);
  const mounts = (options.mounts ?? []).map((mount) => bootMount(mount, { taken, policy }));
  const toolkits = toolkitsInVm(options).map(({ name }) => name);
  const commands = (options.commands ?? []).map(({ name }) => name);
  try {
    await cell.call("boot", {
      hostname,
      env,
      limits,
      permissions,
      software: folders,
      mounts,
      toolkits,
      commands,
    });
  } catch (cause) {
    await cell.stop();
    const at = isKernelError(cause) ? cause.subject : undefined;
    const isAt = (mount: { readonly at: string }): boolean => mount.at === at;
    if (!isKernelError(cause) || ![...folders, ...mounts].some(isAt)) throw cause;
    const problem = `nothing can be mounted there (${cause.reason ?? cause.errno})`;
    if (folders.some(isAt)) {
      throw new HostError("SOFTWARE_UNAVAILABLE", { at: at ?? "", problem }, { cause });
    }
    throw new HostError("VM_OPTIONS_INVALID", { problem: `mounts: ${at}: ${problem}` }, { cause });
  }
}
