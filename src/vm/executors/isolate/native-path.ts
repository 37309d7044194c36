import { join } from "node:path";
import { packageRoot } from "../../package-root.ts";

/**
 * The guest's native module (native/guest-binding) in the build, beside isolated-vm; undefined on a
 * platform it has no binary for.
 */
export function findGuestBinding(): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  return join(packageRoot(), "dist", "guest-binding", "linux-x64-glibc.node");
}
