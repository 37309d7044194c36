import { CallError, call } from "../channel.ts";
import { uvErrors, uvNumber } from "../errors.ts";
import { facts } from "../facts.ts";
import type { Binding } from "./base.ts";
import { loaders } from "./builtins.ts";

export const os = (): Binding => ({
  isBigEndian: false,
  getHostname: () => call("uname").nodename,
  getOSInformation: () => {
    const { sysname, version, release, machine } = call("uname");
    return [sysname, version, release, machine];
  },
  getLoadAvg: (into: Float64Array) => into.set(call("sysinfo").loads),
  getUptime: () => call("sysinfo").uptime,
  getTotalMem: () => call("sysinfo").totalMemory,
  getFreeMem: () => call("sysinfo").freeMemory,
  getAvailableParallelism: () => call("sysinfo").cpus,
  getCPUs: () => {
    const { cpus, cpuMs, uptime } = call("sysinfo");
    // Which of them was used is not known: all have the same part.
    const user = Math.round(cpuMs / cpus);
    const idle = Math.max(0, Math.round(uptime * 1000) - user);
    return Array.from({ length: cpus }).flatMap(() => ["virtual", 0, user, 0, 0, idle, 0]);
  },
  getInterfaceAddresses: () => [
    ...["lo", "127.0.0.1", "255.0.0.0", "IPv4", "00:00:00:00:00:00", true, -1],
    ...[
      "lo",
      "::1",
      "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "IPv6",
      "00:00:00:00:00:00",
      true,
      0,
    ],
  ],
  getHomeDirectory: () => facts.env.get("HOME") ?? call("userInfo").homedir,
  getUserInfo: userInfo,
  setPriority,
  getPriority,
});

/** What node's CollectUVExceptionInfo puts into a context. */
function describeFailure(context: Record<string, unknown>, code: string, syscall: string): void {
  const errno = uvNumber(code);
  Object.assign(context, { errno, code, message: uvErrors.get(errno)?.[1], syscall });
}

/** Undefined when there is none: then the context says why. */
function userInfo(
  options: { encoding?: string } | undefined,
  context: Record<string, unknown>,
): unknown {
  try {
    const { uid, gid, username, homedir, shell } = call("userInfo");
    const isBuffer = options?.encoding?.toLowerCase() === "buffer";
    const text = (value: string): unknown =>
      isBuffer ? loaders.require("buffer").Buffer.from(value) : value;
    return Object.assign(Object.create(null), {
      uid,
      gid,
      username: text(username),
      homedir: text(homedir),
      shell: text(shell),
    });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    describeFailure(context, error.code, "uv_os_get_passwd");
    return undefined;
  }
}

let ownPriority = 0;

/** Deviation: priorities are kept, for this process alone, and change nothing. */
function setPriority(pid: number, priority: number, context: Record<string, unknown>): number {
  const failure =
    findProcess(pid) ??
    (priority < ownPriority && call("credentials").euid !== 0 ? "EACCES" : undefined);
  if (failure !== undefined) {
    describeFailure(context, failure, "uv_os_setpriority");
    return uvNumber(failure);
  }
  if (pid === 0 || pid === facts.pid) ownPriority = priority;
  return 0;
}

function getPriority(pid: number, context: Record<string, unknown>): number | undefined {
  const failure = findProcess(pid);
  if (failure === undefined) return pid === 0 || pid === facts.pid ? ownPriority : 0;
  describeFailure(context, failure, "uv_os_getpriority");
  return undefined;
}

/** Undefined, or why there is none. */
function findProcess(pid: number): string | undefined {
  try {
    if (pid < 0) return "ESRCH";
    if (pid !== 0) call("kill", pid, 0);
    return undefined;
  } catch (error) {
    if (error instanceof CallError) return error.code;
    throw error;
  }
}
