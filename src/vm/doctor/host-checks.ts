// What the doctor asks of the host itself: its Node, isolated-vm, memory control, the home directory.
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MemoryMeter } from "../broker/cell-process/memory-meter.ts";
import { findDependency, packageRoot } from "../package-root.ts";
import type { Check } from "./check.ts";

export function checkPlatform(): Check {
  const name = "platform";
  const detail = `${process.platform} ${process.arch}`;
  if (process.platform === "linux") return { group: "host", name, state: "ok", detail };
  const remedy =
    "Run the server on Linux for the full jail; here Node's permission model is what stands.";
  return { group: "host", name, state: "warning", detail, remedy };
}

/**
 * Cells run on the exact Node the package pins: its V8 and its node:ffi are what was tried. An old one lacks security
 * fixes, and only a newer release of this package brings them.
 */
export function checkNode(
  nodeVersion: string = process.versions.node,
  { nowMs = Date.now(), root = packageRoot() }: { nowMs?: number; root?: string } = {},
): Check {
  const { version: pinned, releasedAtMs } = readPinnedNode(root);
  const group = "host";
  const name = "node";
  if (nodeVersion === pinned) {
    const days = Math.floor((nowMs - releasedAtMs) / DAY_MS);
    if (days <= CURRENT_DAYS)
      return { group, name, state: "ok", detail: `${nodeVersion}, the pinned version` };
    const detail = `${nodeVersion}, the pinned version, is ${days} days old`;
    const remedy = "Update agentos-mcp: newer versions of Node have security fixes.";
    return { group, name, state: "warning", detail, remedy };
  }
  return {
    group,
    name,
    state: "warning",
    detail: `${nodeVersion} instead of the pinned ${pinned ?? "version (none for this platform)"}`,
    remedy:
      "Install with optional dependencies, so that npm brings the pinned Node for this platform.",
  };
}

/** Loads the prebuilt addon in a process of its own: a broken one would take this process with it. */
export async function checkIsolatedVm(nodePath: string = process.execPath): Promise<Check> {
  const name = "isolated-vm";
  const file = findPrebuiltAddon();
  if (file === undefined) {
    const detail = `no prebuilt addon for ${process.platform} ${process.arch}, ABI ${process.versions.modules}`;
    return {
      group: "host",
      name,
      state: "failed",
      detail,
      remedy: "Run on a platform isolated-vm has binaries for.",
    };
  }
  const script = `process.dlopen({ exports: {} }, ${JSON.stringify(file)})`;
  const failure = await runNode(nodePath, ["-e", script]);
  if (failure === undefined)
    return { group: "host", name, state: "ok", detail: `loads from ${file}` };
  const remedy =
    "Its binary needs glibc 2.34 and libstdc++ with GLIBCXX_3.4.30 (Debian 12, Ubuntu 22.04 or newer).";
  return { group: "host", name, state: "failed", detail: failure, remedy };
}

/** The watchdog reads other processes' memory from /proc. */
export function checkMemoryWatchdog(): Check {
  const name = "memory-watchdog";
  const meter = new MemoryMeter(process.pid);
  const bytes = meter.read();
  meter.close();
  if (bytes !== undefined)
    return { group: "host", name, state: "ok", detail: "reads /proc/<pid>/statm" };
  const detail =
    "cannot read another process's memory; a cell's heap and WebAssembly limits still hold";
  return {
    group: "host",
    name,
    state: process.platform === "linux" ? "warning" : "unavailable",
    detail,
  };
}

/** A delegated memory cgroup would stop a bomb exactly; cells do not use one, the watchdog does the work. */
export function checkCgroup(): Check {
  const name = "memory-cgroup";
  const folder = process.platform === "linux" ? findMemoryCgroup() : undefined;
  if (folder === undefined)
    return {
      group: "host",
      name,
      state: "unavailable",
      detail: "no memory cgroup; the watchdog alone stops a bomb",
    };
  const writable = isWritable(folder);
  const detail = `${folder} is ${writable ? "writable" : "not delegated to this user"}; the watchdog alone stops a bomb`;
  return { group: "host", name, state: writable ? "ok" : "unavailable", detail };
}

/** The directory for state and socket can be made, or is there and can be written. */
export function checkHome(home: string): Check {
  const name = "home";
  let nearest = home;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  if (isWritable(nearest)) return { group: "host", name, state: "ok", detail: home };
  const remedy = "Set AGENTOS_MCP_HOME to a directory this user can write to.";
  return { group: "host", name, state: "failed", detail: `${nearest} cannot be written`, remedy };
}

interface PinnedNode {
  /** Undefined where there is none for this platform. */
  readonly version: string | undefined;
  readonly releasedAtMs: number;
}

/** A checkout and a release have the binaries from packages of different names, which end in the platform. */
function readPinnedNode(root: string): PinnedNode {
  const manifest: { optionalDependencies: Record<string, string>; nodeReleased: string } =
    JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const platforms = [process.platform, process.platform.replace("win32", "win")];
  const found = Object.entries(manifest.optionalDependencies).find(([name]) =>
    platforms.some((platform) => name.endsWith(`-${platform}-${process.arch}`)),
  );
  return { version: found?.[1], releasedAtMs: Date.parse(manifest.nodeReleased) };
}

const DAY_MS = 86_400_000;
/** Node's security releases are two to three months apart. */
const CURRENT_DAYS = 90;

function findPrebuiltAddon(): string | undefined {
  const places = [join(packageRoot(), "dist", "isolated-vm"), findDependency("isolated-vm")];
  const folder = places
    .filter((place) => place !== undefined)
    .map((place) => join(place, "prebuilds", `${process.platform}-${process.arch}`))
    .find((place) => existsSync(place));
  if (folder === undefined) return undefined;
  const abi = `.abi${process.versions.modules}.`;
  const names = readdirSync(folder).filter((file) => file.includes(abi));
  // The pinned Node is built for glibc.
  const found = names.find((file) => !file.includes(".musl."));
  return found === undefined ? undefined : join(folder, found);
}

/** Undefined when the program ended well, else why not. */
function runNode(nodePath: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      nodePath,
      args,
      { timeout: 20_000, killSignal: "SIGKILL", env: {} },
      (error, _stdout, stderr) => {
        if (error === null) return resolve(undefined);
        resolve(stderr.split("\n").find((line) => line.startsWith("Error")) ?? error.message);
      },
    );
  });
}

/** cgroup v2's own folder if it has the memory controller, else v1's; see cgroups(7). */
function findMemoryCgroup(): string | undefined {
  const lines = readFileSync("/proc/self/cgroup", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const [, controllers, path = ""] of lines) {
    const folder =
      controllers === "" ? join("/sys/fs/cgroup", path) : join("/sys/fs/cgroup/memory", path);
    const file = controllers === "" ? "memory.max" : "memory.limit_in_bytes";
    if ((controllers === "" || controllers === "memory") && existsSync(join(folder, file)))
      return folder;
  }
  return undefined;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
