import type { DiskUse } from "../disk-watch.ts";
import { sumDiskUse } from "../use-watch.ts";
import { type ConfinedHost, insidePathOf, runConfined } from "./run-confined.ts";

/** What directories take in which a sandbox has files that only its user namespace may look at. */
export async function measureConfined(
  host: ConfinedHost,
  directories: readonly string[],
): Promise<DiskUse> {
  const shown = directories.map(insidePathOf);
  return await sumDiskUse(shown, async (du) => {
    // Files that go while it looks make it fail; it has printed the sums all the same.
    const argv = ["sh", "-c", '"$@" 2>/dev/null || :', "sh", ...du];
    return await runConfined(host, { argv, directories });
  });
}
