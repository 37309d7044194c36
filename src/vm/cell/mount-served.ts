import { getHeapStatistics } from "node:v8";
import type { Kernel } from "../../kernel/index.ts";
import { ContentCache } from "../filesystems/served/content-cache.ts";
import { PictureCache } from "../filesystems/served/picture-cache.ts";
import { ServedFileSystem } from "../filesystems/served/served-file-system.ts";
import type { ServedMount } from "../wire/mount-requests.ts";
import { bindAt, mountAt } from "./mount-at.ts";
import type { ServerRequests } from "./server-requests.ts";

/** How long the server may not know that a file is no longer held, if nothing else is asked. */
const LATER_MS = 5;
/** What a cell takes by itself; V8's limit is at least this much above the one it was told. */
const OWN_BYTES = 100 << 20;
/** Parts of the rest: for contents, and for one entry of a directory, which takes some 500 bytes. */
const CONTENT_PART = 16;
const ENTRY_PART_BYTES = 3072;
const ENTRIES = { least: 10_000, most: 100_000 };
/** Enough for a few readers with what is read ahead for them, and for any package. */
const CONTENT_BYTES = { least: 4 << 20, most: 32 << 20 };

/** Mounts what the server serves. A KernelError about the place where nothing can be mounted. */
export async function mountServed(
  kernel: Kernel,
  requests: ServerRequests,
  mounts: readonly ServedMount[],
): Promise<readonly ServedFileSystem[]> {
  const mounted: ServedFileSystem[] = [];
  const freeBytes = getHeapStatistics().heap_size_limit - OWN_BYTES;
  const caches = {
    pictures: new PictureCache(within(ENTRIES, freeBytes / ENTRY_PART_BYTES)),
    contents: new ContentCache(within(CONTENT_BYTES, freeBytes / CONTENT_PART)),
  };
  for (const [number, mount] of mounts.entries()) {
    const fileSystem = new ServedFileSystem({
      mount,
      ask: (request, { body, into, holds }) =>
        requests.request("mount.call", { mount: number, request, ...holds }, body, into),
      later: (act) => void setTimeout(act, LATER_MS),
      now: () => kernel.host.now(),
      outsideEpoch: () => requests.outsideEpoch,
      caches,
    });
    await mountAt(kernel, mount.at, fileSystem);
    if (mount.alsoAt !== undefined) await bindAt(kernel, mount.alsoAt, mount.at);
    mounted.push(fileSystem);
  }
  return mounted;
}

function within({ least, most }: { least: number; most: number }, wanted: number): number {
  return Math.min(most, Math.max(least, Math.floor(wanted)));
}
