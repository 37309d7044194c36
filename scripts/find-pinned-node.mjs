// Finds the Node binary this package pins, by its package's path: never through `.bin`, which npm
// links or not depending on its version. Used by the shim and by the project's scripts, so it runs
// on any Node from 20 up, and it ships with the package.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pinnedNodePackages } from "./pinned-node-packages.mjs";

const require = createRequire(import.meta.url);

/**
 * The path of the pinned Node for this platform, or undefined where none is installed.
 *
 * @returns {string | undefined}
 */
export function findPinnedNode() {
  const { platform, arch } = process;
  const row = pinnedNodePackages.find(({ os, cpu }) => os === platform && cpu === arch);
  if (row === undefined) return undefined;
  for (const name of [row.released, row.source]) {
    const manifest = findManifest(name);
    if (manifest === undefined) continue;
    const binary = join(dirname(manifest), "bin", platform === "win32" ? "node.exe" : "node");
    if (existsSync(binary)) return binary;
  }
  return undefined;
}

/** @param {string} name */
function findManifest(name) {
  try {
    return require.resolve(`${name}/package.json`);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") {
      return undefined;
    }
    throw error;
  }
}
