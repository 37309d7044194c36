import { call } from "../channel.ts";
import { facts } from "../facts.ts";
import type { Binding } from "./base.ts";

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
    const count: number = call("sysinfo").cpus;
    return Array.from({ length: count }).flatMap(() => ["virtual", 0, 0, 0, 0, 0, 0]);
  },
  getInterfaceAddresses: () => [
    ...["lo", "127.0.0.1", "255.0.0.0", "IPv4", "00:00:00:00:00:00", true, -1],
    ...["lo", "::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "IPv6", "00:00:00:00:00:00", true, 0],
  ],
  getHomeDirectory: () => facts.env.get("HOME") ?? call("userInfo").homedir,
  getUserInfo: () => call("userInfo"),
  setPriority: () => 0,
  getPriority: () => 0,
});
