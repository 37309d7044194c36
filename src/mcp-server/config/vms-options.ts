import type { VmsOptions } from "../../vm/index.ts";
import type { ServerConfig } from "./server-config.ts";

/** What a configuration means for the VMs of a server, but for whom they ask. */
export function vmsOptions(config: ServerConfig): VmsOptions {
  const { vm = {}, poolSize, maxVms, maxMemoryMb } = config;
  const { limits, permissions, env, software, memoryMb } = vm;
  return {
    ...(poolSize === undefined ? {} : { poolSize }),
    ...(maxVms === undefined ? {} : { maxVms }),
    ...(maxMemoryMb === undefined ? {} : { maxMemoryMb }),
    defaults: {
      ...(limits === undefined ? {} : { limits }),
      ...(memoryMb === undefined ? {} : { memoryMb }),
      ...(permissions === undefined ? {} : { permissions }),
      ...(env === undefined ? {} : { env }),
      ...(software === undefined ? {} : { software }),
    },
  };
}
