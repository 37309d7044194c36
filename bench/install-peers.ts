// Installs the peers with npm in a folder outside the repository, once: the folder is used again.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PeerName, PeerRow } from "./peer-list.ts";

/** agentOS is 1.2 GB of packages. */
const INSTALL_LIMIT_MS = 30 * 60_000;
const PROGRESS_MS = 15_000;

/** AGENTOS_BENCH_CACHE, or a folder of the system's temporary one. */
export function cacheFolder(): string {
  return process.env["AGENTOS_BENCH_CACHE"] || join(tmpdir(), "agentos-mcp-bench");
}

/** Where each peer that npm supplies is installed. Throws with npm's words when it cannot be. */
export async function installPeers(
  peers: readonly PeerRow[],
  say: (line: string) => void,
): Promise<ReadonlyMap<PeerName, string>> {
  const folders = new Map<PeerName, string>();
  for (const { name, npmPackage } of peers) {
    if (npmPackage === undefined) continue;
    const folder = join(cacheFolder(), npmPackage.replaceAll(/[@/]+/g, "-").replace(/^-/, ""));
    folders.set(name, folder);
    const entry = join(folder, "entry.mjs");
    if (existsSync(entry)) continue;
    say(`Installing ${npmPackage} in ${folder} (kept for the next run) ...`);
    await install(npmPackage, folder, say);
    writeFileSync(entry, `export * from "${npmPackage.replace(/@[\d.]+$/, "")}";\n`);
  }
  return folders;
}

/** Into a new folder. Throws with npm's words. */
export async function install(
  npmPackage: string,
  folder: string,
  say: (line: string) => void,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `{ "private": true, "type": "module" }\n`);
  const started = Date.now();
  const progress = setInterval(() => {
    say(`  ... ${Math.round((Date.now() - started) / 1000)} s`);
  }, PROGRESS_MS);
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", npmPackage];
  const npm = spawn(process.platform === "win32" ? "npm.cmd" : "npm", args, {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: INSTALL_LIMIT_MS,
    shell: process.platform === "win32",
  });
  let complaint = "";
  npm.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = `${complaint}${text}`.slice(-4000);
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      npm.once("error", reject).once("close", resolve);
    });
    if (code !== 0) throw new Error(`npm install ${npmPackage} failed:\n${complaint}`);
  } finally {
    clearInterval(progress);
  }
}
