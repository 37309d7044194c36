import { describe, expect, it } from "vitest";
import { type AskedLimits, LimitCeilings } from "../../../src/mcp-server/config/limit-ceilings.ts";
import type { ServerConfig } from "../../../src/mcp-server/config/server-config.ts";
import { hostErrorText } from "../../../src/mcp-server/host-error-text.ts";

const path = "/home/me/.local/state/agentos-mcp/config.json";

/** What a client is told that asks for this; undefined where it gets it. */
function refusal(
  asked: AskedLimits,
  config: ServerConfig = {},
  env: NodeJS.ProcessEnv = {},
): string | undefined {
  try {
    new LimitCeilings(config, { path, env, maxMemoryMb: 6000 }).check(asked);
    return undefined;
  } catch (error) {
    return hostErrorText(error);
  }
}

const remedy =
  "Ask for less, or have the person who runs the server raise it there. The change takes effect after agentos-mcp stop.";

describe("what a client may ask for", () => {
  it("is no more than the configuration says", () => {
    const config = { vm: { memoryMb: 512, limits: { maxProcesses: 50 } } };
    expect(refusal({ memory_mb: 513 }, config)).toBe(
      `memory_mb is 513; a client of this server may ask for 512 at most, by vm.memoryMb in ${path}. ${remedy}`,
    );
    expect(refusal({ limits: { maxOpenFds: 9999, maxProcesses: 51 } }, config)).toBe(
      `limits.maxProcesses is 51; a client of this server may ask for 50 at most, by vm.limits.maxProcesses in ${path}. ${remedy}`,
    );
    expect(refusal({ memory_mb: 512, limits: { maxProcesses: 50 } }, config)).toBeUndefined();
  });

  it("is up to the client where the configuration says nothing, and the VM's own memory pays", () => {
    expect(
      refusal({ limits: { maxFilesystemBytes: 2 ** 30, cpuTimeLimitMs: 1e9 } }),
    ).toBeUndefined();
    expect(refusal({ memory_mb: 6000 })).toBeUndefined();
  });

  it("is no more than all VMs may have together, nor than the default where the server pays", () => {
    expect(refusal({ memory_mb: 6001 })).toBe(
      `memory_mb is 6001; a client of this server may ask for 6000 at most, by maxMemoryMb in ${path}. ${remedy}`,
    );
    expect(refusal({ limits: { maxAuditRecords: 10_001 } })).toBe(
      `limits.maxAuditRecords is 10001; a client of this server may ask for 10000 at most, by vm.limits.maxAuditRecords in ${path}. ${remedy}`,
    );
    expect(
      refusal(
        { limits: { maxAuditRecords: 20_000 } },
        { vm: { limits: { maxAuditRecords: 30_000 } } },
      ),
    ).toBeUndefined();
  });

  it("is raised where it was set: by a variable, if that wins over the file", () => {
    const env = { AGENTOS_MCP_VM_MEMORY_MB: "256" };
    expect(refusal({ memory_mb: 300 }, { vm: { memoryMb: 256 } }, env)).toBe(
      `memory_mb is 300; a client of this server may ask for 256 at most, by the server's AGENTOS_MCP_VM_MEMORY_MB. ${remedy}`,
    );
  });

  it("is not its business where no VM could have it", () => {
    expect(
      refusal({ memory_mb: Number.NaN, limits: { constructor: 5, nonsense: 5 } }),
    ).toBeUndefined();
  });
});
