import type { Kernel } from "../../kernel/index.ts";
import { ServedFileSystem } from "../filesystems/served/served-file-system.ts";
import type { ServedMount } from "../wire/mount-requests.ts";
import { bindAt, mountAt } from "./mount-at.ts";
import type { ServerRequests } from "./server-requests.ts";

/** How long the server may not know that a file is no longer held, if nothing else is asked. */
const LATER_MS = 5;

/** Mounts what the server serves. A KernelError about the place where nothing can be mounted. */
export async function mountServed(
  kernel: Kernel,
  requests: ServerRequests,
  mounts: readonly ServedMount[],
): Promise<readonly ServedFileSystem[]> {
  const mounted: ServedFileSystem[] = [];
  for (const [number, mount] of mounts.entries()) {
    const fileSystem = new ServedFileSystem({
      mount,
      ask: (wish, { body, into, holds }) =>
        requests.request("mount.call", { mount: number, wish, ...holds }, body, into),
      later: (act) => void setTimeout(act, LATER_MS),
      now: () => kernel.host.now(),
      outsideEpoch: () => requests.outsideEpoch,
    });
    await mountAt(kernel, mount.at, fileSystem);
    if (mount.alsoAt !== undefined) await bindAt(kernel, mount.alsoAt, mount.at);
    mounted.push(fileSystem);
  }
  return mounted;
}
