/** Makes a VM of a cell: what it may ask the server for, and what its kernel starts with. */
import { isKernelError, Policy } from "../kernel/index.ts";
import type { CellClient } from "./broker/cell-client.ts";
import { CellRequests } from "./broker/cell-requests.ts";
import type { FolderReader } from "./broker/software/folder-reader.ts";
import { openSoftware } from "./broker/software/open-software.ts";
import { type OpenSoftware, SoftwareService } from "./broker/software/software-service.ts";
import { HostError } from "./host-error.ts";
import { placeSoftware } from "./software-options.ts";
import type { VmOptions } from "./vm-options.ts";

export interface CellBoot {
  readonly hostname: string;
  readonly options: VmOptions;
  readonly folders: FolderReader;
  readonly log: (line: string) => void;
}

/** The folders a VM is to get, looked at before a cell is taken for it. SOFTWARE_UNAVAILABLE. */
export async function findSoftware({ options, folders }: CellBoot): Promise<OpenSoftware[]> {
  return openSoftware(folders, placeSoftware(options.software ?? []));
}

/** What serves the cell's requests, with a copy of the policy that the cell cannot reach. */
export function serveCell(
  cell: CellClient,
  { options, folders, log }: CellBoot,
  software: readonly OpenSoftware[],
): CellRequests {
  const policy = new Policy(options.permissions);
  const canAsk = options.onPermissionRequest !== undefined;
  return new CellRequests({
    services: new SoftwareService(folders, { software, policy, canAsk }),
    reply: (message, body) => cell.reply(message, body),
    distrust: (what) => cell.distrust(what),
    log,
  });
}

/** A cell that does not become a VM is ended. CellLost; SOFTWARE_UNAVAILABLE. */
export async function bootCell(
  cell: CellClient,
  { hostname, options }: CellBoot,
  software: readonly OpenSoftware[],
): Promise<void> {
  const { env = {}, limits = {}, permissions = {} } = options;
  const mounts = software.map(({ at }) => ({ at }));
  try {
    await cell.call("boot", { hostname, env, limits, permissions, software: mounts });
  } catch (cause) {
    await cell.stop();
    const at = isKernelError(cause) ? cause.subject : undefined;
    if (!isKernelError(cause) || !mounts.some((mount) => mount.at === at)) throw cause;
    const problem = `nothing can be mounted there (${cause.reason ?? cause.errno})`;
    throw new HostError("SOFTWARE_UNAVAILABLE", { at: at ?? "", problem }, { cause });
  }
}
