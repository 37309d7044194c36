// What servers of builds that no longer run have left in a home.
import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Home } from "../home.ts";

/** Directories of a home that hold one directory per build. */
const perBuild = ["cache", "output"];

/** Removes compiled code and outputs of all builds but these. */
export async function clearLeftovers(home: Home, runningBuilds: readonly string[]): Promise<void> {
  const leftovers = perBuild
    .map((name) => join(home.directory, name))
    .filter((directory) => existsSync(directory))
    .flatMap((directory) =>
      readdirSync(directory)
        .filter((build) => !runningBuilds.includes(build))
        .map((build) => join(directory, build)),
    );
  await Promise.all(leftovers.map((path) => rm(path, { recursive: true, force: true })));
}
