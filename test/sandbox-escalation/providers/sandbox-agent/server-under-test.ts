import { ExecFiles } from "../../../../src/sandbox-escalation/files/exec/exec-files.ts";
import type { SandboxSpec } from "../../../../src/sandbox-escalation/provider.ts";
import { SandboxAgentProvider } from "../../../../src/sandbox-escalation/providers/sandbox-agent/sandbox-agent-provider.ts";
import type { SandboxAgentAccess } from "../../../../src/sandbox-escalation/providers/sandbox-agent/server-address.ts";

export const spec: SandboxSpec = {
  owner: "test",
  vm: "vm",
  reason: "a test",
  image: "host",
  workspace: "/nowhere",
  limits: { memoryMb: 256, pids: 200, cpus: 2, diskMb: 512, lifetimeMs: 600_000 },
  network: "full",
  env: {},
};

export function openProvider(access: SandboxAgentAccess | undefined): SandboxAgentProvider {
  return new SandboxAgentProvider({
    access,
    openFiles: async (sandbox) => new ExecFiles(sandbox),
  });
}
