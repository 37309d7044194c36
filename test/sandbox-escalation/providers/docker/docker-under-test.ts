// Container sandboxes for tests: directories of their own, everything removed at the end.
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxSpec } from "../../../../src/sandbox-escalation/provider.ts";
import { DockerProvider } from "../../../../src/sandbox-escalation/providers/docker/docker-provider.ts";
import { Disk } from "../../../../src/vm/broker/folders/disk.ts";
import { HostFolder } from "../../../../src/vm/broker/folders/host-folder.ts";
import type { ProviderUnderTest } from "../../../contract/sandbox-provider-contract.ts";
import { IMAGE, type TestEngine } from "./test-engine.ts";

export function openDocker(engine: TestEngine): ProviderUnderTest {
  const directory = mkdtempSync(join(tmpdir(), "agentos-docker-test-"));
  const disk = new Disk();
  const opened: HostFolder[] = [];
  const provider = new DockerProvider({
    env: { DOCKER_HOST: `unix://${engine.socketPath}` },
    openFiles: async ({ workspace, limits }, owner) => {
      const limitBytes = limits.diskMb * 1024 * 1024;
      const files = await HostFolder.open(disk, { path: workspace, owner, limitBytes });
      opened.push(files);
      return files;
    },
  });
  let specs = 0;
  return {
    provider,
    makeSpec: async (overrides = {}) => {
      specs += 1;
      const workspace = join(directory, `workspace-${specs}`);
      await mkdir(workspace, { mode: 0o700 });
      return { ...ordinarySpec, workspace, ...overrides };
    },
    findRemains: async (ref) => {
      const containers = JSON.stringify(await engine.ask("GET", "/containers/json?all=true"));
      return containers.includes(ref) ? [ref] : [];
    },
    close: async () => {
      for (const files of opened) await files.close();
      await disk.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const ordinarySpec: Omit<SandboxSpec, "workspace"> = {
  owner: "test",
  vm: "vm",
  reason: "a test",
  image: IMAGE,
  limits: { memoryMb: 256, pids: 200, cpus: 2, diskMb: 512, lifetimeMs: 600_000 },
  network: "none",
  env: {},
};
