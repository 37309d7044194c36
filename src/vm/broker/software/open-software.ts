import { isKernelError, type KernelError } from "../../../kernel/index.ts";
import { HostError } from "../../host-error.ts";
import type { PlacedSoftware } from "../../software-options.ts";
import type { Disk } from "../folders/disk.ts";
import { HostFolder } from "../folders/host-folder.ts";

/** A folder of the host that a VM gets to read, and the place in the VM where it is mounted. */
export interface OpenSoftware {
  readonly at: string;
  readonly fileSystem: HostFolder;
}

/** Opens every folder a VM is to get, in their order. SOFTWARE_UNAVAILABLE: then none is open. */
export async function openSoftware(
  disk: Disk,
  software: readonly PlacedSoftware[],
): Promise<OpenSoftware[]> {
  const opening = software.map(({ path, at }) => openOne(disk, path, at));
  const opened = await Promise.allSettled(opening);
  const found = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = opened.find((one) => one.status === "rejected");
  if (failed === undefined) return found;
  await closeSoftware(found);
  throw failed.reason;
}

export async function closeSoftware(software: readonly OpenSoftware[]): Promise<void> {
  await Promise.all(software.map(({ fileSystem }) => fileSystem.close()));
}

async function openOne(disk: Disk, path: string, at: string): Promise<OpenSoftware> {
  try {
    return { at, fileSystem: await HostFolder.open(disk, { path, isReadOnly: true }) };
  } catch (cause) {
    if (!isKernelError(cause)) throw cause;
    throw new HostError("SOFTWARE_UNAVAILABLE", { at, problem: problemOf(cause) }, { cause });
  }
}

/** By errno alone: the host's paths are not for whoever reads the error. */
function problemOf({ errno }: KernelError): string {
  switch (errno) {
    case "ENOENT":
      return "it does not exist";
    case "ENOTDIR":
      return "it is not a directory";
    case "EACCES":
    case "EPERM":
      return "the server may not read it";
    default:
      return `it cannot be read (${errno})`;
  }
}
