// The provider by Daytona's own clients, against a Daytona of this machine.
import { ExecFiles } from "../../../../src/sandbox-escalation/files/exec/exec-files.ts";
import type { SandboxSpec } from "../../../../src/sandbox-escalation/provider.ts";
import { DaytonaProvider } from "../../../../src/sandbox-escalation/providers/daytona/daytona-provider.ts";
import { API_KEY } from "./fake-daytona.ts";

export const spec: SandboxSpec = {
  owner: "test",
  vm: "vm",
  reason: "a test",
  image: "daytona-small",
  workspace: "/nowhere",
  limits: { memoryMb: 2048, pids: 200, cpus: 2, diskMb: 5120, lifetimeMs: 600_000 },
  network: "none",
  env: {},
};

export function openProvider(url: string, apiKey = API_KEY): DaytonaProvider {
  return new DaytonaProvider({
    access: { apiKey, apiUrl: `${url}/api` },
    openFiles: async (sandbox) => new ExecFiles(sandbox),
  });
}
