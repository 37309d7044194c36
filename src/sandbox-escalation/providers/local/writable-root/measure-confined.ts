import type { DiskUse } from "../disk-watch.ts";
import { DISK_LOOK_LIMIT_MS, sumDiskUse } from "../use-watch.ts";
import { type ConfinedHost, insidePathOf, runConfined } from "./run-confined.ts";

/**
 * What directories take in which a sandbox has files that only its user namespace may look at; undefined where that
 * takes too long.
 */
export async function measureConfined(
  host: ConfinedHost,
  directories: readonly string[],
): Promise<DiskUse | undefined> {
  const shown = directories.map(insidePathOf);
  const signal = AbortSignal.timeout(DISK_LOOK_LIMIT_MS);
  return await sumDiskUse(shown, async (du) => {
    // Files that go while it looks make it fail; it has printed the sums all the same.
    const argv = ["sh", "-c", '"$@" 2>/dev/null || :', "sh", ...du];
    return await runConfined(host, { argv, directories, signal }).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
  });
}
