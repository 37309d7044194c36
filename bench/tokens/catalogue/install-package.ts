// Installs a package with npm outside the repository, once.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, install } from "../../install-peers.ts";

/** The folder it is installed in. Throws with npm's words when it cannot be. */
export async function installPackage(
  npmPackage: string,
  say: (line: string) => void,
): Promise<string> {
  const folder = join(
    cacheFolder(),
    "servers",
    npmPackage.replaceAll(/[@/]+/g, "-").replace(/^-/, ""),
  );
  const mark = join(folder, "installed");
  if (existsSync(mark)) return folder;
  say(`Installing ${npmPackage} in ${folder} (kept for the next run) ...`);
  await install(npmPackage, folder, say);
  writeFileSync(mark, "");
  return folder;
}
