/** Packages that are in the VM beside the project: what the host mounts, and what is installed globally. */
import type { Sys } from "../../../kernel/index.ts";
import { listNames } from "./files.ts";
import type { InstalledPackage, InstalledPackages } from "./installed-packages.ts";
import { packageVersion } from "./manifest.ts";
import { isWanted } from "./package-spec.ts";
import { below, isInside } from "./paths.ts";
import { compareVersions, parseVersion } from "./semver-version.ts";

/** Where the host's folders are mounted unless it says otherwise (docs/software.md). */
const MOUNTS = "/opt/software";
/** As many as can be mounted. */
const MOUNT_LIMIT = 64;

/** The node_modules folders to look into, the host's first. */
export async function softwareFolders(sys: Sys, globalPrefix: string): Promise<string[]> {
  const mounts = (await listNames(sys, MOUNTS)).slice(0, MOUNT_LIMIT);
  return [
    "/node_modules",
    ...mounts.flatMap((name) => [`${MOUNTS}/${name}/node_modules`, `${MOUNTS}/${name}`]),
    "/usr/lib/node_modules",
    below(globalPrefix, "lib/node_modules"),
  ];
}

/** The newest that is wanted; undefined where there is none. */
export async function findSoftware(
  packages: InstalledPackages,
  folders: readonly string[],
  spec: { readonly target: string; readonly wanted: string },
): Promise<InstalledPackage | undefined> {
  let best: InstalledPackage | undefined;
  for (const folder of folders) {
    const found = await packages.find(below(folder, spec.target));
    if (found === undefined || !isWanted(found.manifest, spec)) continue;
    if (best === undefined || isNewer(found, best)) best = found;
  }
  return best;
}

function isNewer(one: InstalledPackage, other: InstalledPackage): boolean {
  const [a, b] = [one, other].map(({ manifest }) => parseVersion(packageVersion(manifest) ?? ""));
  return a !== undefined && (b === undefined || compareVersions(a, b) > 0);
}

/** Whether files at a path are nobody's to change: the software's own tree is taken as it is. */
export function isSoftware(realPath: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isInside(realPath, folder));
}
