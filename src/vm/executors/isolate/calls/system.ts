// The machine: its names, its size, its chance.
import { KernelError } from "../../../../kernel/index.ts";
import { int } from "../arguments.ts";
import type { Calls } from "../guest.ts";

export const systemCalls: Calls = {
  async uname({ sys }) {
    return { ...(await sys.uname()) };
  },
  async sysinfo({ sys }) {
    const { uptimeMs, memory, loads, cpus, cpuMs } = await sys.sysinfo();
    return {
      uptime: uptimeMs / 1000,
      loads: [...loads],
      cpus,
      cpuMs,
      totalMemory: memory.totalBytes,
      freeMemory: Math.max(0, memory.totalBytes - memory.usedBytes),
    };
  },
  /** Microseconds: computed by all threads, and used by calls. */
  async cpuUsage({ sys }) {
    const { ownMs, kernelMs } = await sys.times();
    return [Math.round((ownMs - kernelMs) * 1000), Math.round(kernelMs * 1000)];
  },
  async random({ sys }, args) {
    const count = int(args, 0);
    if (count < 0 || count > 1 << 26) throw new KernelError("EINVAL");
    const into = new Uint8Array(count);
    for (let at = 0; at < count; at += 1 << 16)
      await sys.getrandom(into.subarray(at, at + (1 << 16)));
    return into;
  },
};
