// What the launcher of cells is told: which layers, which files, which users.
import { devNull } from "node:os";
import { join } from "node:path";
import { assembleFilter, type Filter } from "../../../linux/index.ts";
import type { LayerName } from "../../confinement/layer.ts";
import { filterArchitecture } from "../../confinement/seccomp.ts";
import { packageRoot } from "../../package-root.ts";
import { type LauncherSetup, launcherLayers } from "./launcher-frames.ts";
import { loaderFiles, rootLinks, withRealPaths } from "./own-code.ts";

export interface LauncherWants {
  /** The code of cells. */
  readonly readable: readonly string[];
  readonly nodePath: string;
  readonly without: readonly LayerName[];
}

/** The prebuilt binary, see scripts/build-static-programs.mjs. */
export function findLauncher(): string {
  const target = `linux-${filterArchitecture() ?? process.arch}`;
  return join(packageRoot(), "native", "cell-launcher", "prebuilt", target);
}

export function describeLauncherSetup({
  readable,
  nodePath,
  without,
}: LauncherWants): LauncherSetup {
  const libraries = withRealPaths(loaderFiles());
  return {
    layers: launcherLayers.filter((layer) => !without.includes(layer)),
    firstUser: FIRST_USER,
    threads: THREADS,
    filter: assembleFilter(noIoUring, filterArchitecture() ?? "x64"),
    readable: [...readable, ...libraries, devNull],
    // The loader itself is started by the kernel, as the binary's interpreter.
    executable: [
      ...withRealPaths([nodePath]),
      ...libraries.filter((path) => /\/ld[-.]/.test(path)),
    ],
    links: rootLinks(),
  };
}

/** An io_uring makes system calls that seccomp never sees, and libuv makes one at start. */
const noIoUring: Filter = {
  rules: [{ call: "io_uring_setup", verdict: { errno: 38 } }],
  otherwise: "allow",
  foreign: { errno: 38 },
};

/**
 * Ids that nobody hands out: systemd's list of ranges (UIDS-GIDS.md) ends containers at 0x6fffffff, and login.defs(5)
 * subordinate ids at 600100000. A pid has at most 22 bits, and nobody has the same at the same time.
 */
const FIRST_USER = 0x7000_0000;

/** Node's own dozen, and for each of 256 processes an isolate's thread and a watchdog's. */
const THREADS = 768;
