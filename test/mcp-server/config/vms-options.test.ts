import { describe, expect, it } from "vitest";
import { vmsOptions } from "../../../src/mcp-server/config/vms-options.ts";

describe("vmsOptions", () => {
  it("gives nothing where nothing is set", () => {
    expect(vmsOptions({})).toEqual({ defaults: {} });
  });

  it("gives the pool its numbers and every VM its defaults", () => {
    const limits = { maxPtys: 1 };
    const software = ["/srv/a", { path: "/srv/b", at: "/opt/b" }];
    const memoryMb = 256;
    const vm = {
      limits,
      memoryMb,
      permissions: { env: "deny" },
      env: { A: "1" },
      software,
    } as const;
    const config = { poolSize: 1, maxVms: 2, maxMemoryMb: 4096, idleMs: 3, vm };
    expect(vmsOptions(config)).toEqual({
      poolSize: 1,
      maxVms: 2,
      maxMemoryMb: 4096,
      defaults: vm,
    });
  });
});
