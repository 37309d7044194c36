// Local sandboxes for tests: directories of their own, everything removed at the end.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Probe, SandboxSpec } from "../../../../src/sandbox-escalation/provider.ts";
import { findLocalHost } from "../../../../src/sandbox-escalation/providers/local/local-host.ts";
import {
  LocalProvider,
  type LocalProviderOptions,
} from "../../../../src/sandbox-escalation/providers/local/local-provider.ts";
import { removeTree } from "../../../../src/sandbox-escalation/providers/local/writable-root/remove-tree.ts";
import { Disk } from "../../../../src/vm/broker/folders/disk.ts";
import { HostFolder } from "../../../../src/vm/broker/folders/host-folder.ts";
import type { ProviderUnderTest } from "../../../contract/sandbox-provider-contract.ts";

/** Why local sandboxes cannot be tested here; undefined where they can. */
export async function findObstacle(): Promise<string | undefined> {
  const probe = await probeLocal();
  return probe.isUsable ? undefined : probe.reason;
}

export async function probeLocal(): Promise<Probe> {
  const underTest = openLocal();
  try {
    return await underTest.provider.probe();
  } finally {
    await underTest.close();
  }
}

export interface LocalUnderTest extends ProviderUnderTest {
  readonly provider: LocalProvider;
  readonly directory: string;
}

export interface LocalTestOptions
  extends Partial<Pick<LocalProviderOptions, "without" | "usesControlGroups">> {
  /** What sandboxes have for a root; the host's tools where left out. */
  readonly image?: string;
}

export function openLocal(options: LocalTestOptions = {}): LocalUnderTest {
  const { image = "host", ...providerOptions } = options;
  const directory = mkdtempSync(join(tmpdir(), "agentos-local-test-"));
  const disk = new Disk();
  const opened: HostFolder[] = [];
  const provider = new LocalProvider({
    ...providerOptions,
    stateDirectory: join(directory, "state"),
    openFiles: async (spec, owner) => {
      const files = await HostFolder.open(disk, {
        path: spec.workspace,
        owner,
        limitBytes: spec.limits.diskMb * 1024 * 1024,
      });
      opened.push(files);
      return files;
    },
  });
  let specs = 0;
  return {
    provider,
    directory,
    makeSpec: async (overrides = {}) => {
      specs += 1;
      const workspace = join(directory, `workspace-${specs}`);
      await mkdir(workspace, { mode: 0o700 });
      return { ...ordinarySpec, image, workspace, ...overrides };
    },
    findRemains: async (ref) => [
      ...readdirSync(join(directory, "state")).filter((name) => name === ref),
      ...findControlGroups(ref),
    ],
    close: async () => {
      for (const files of opened) await files.close();
      await disk.close();
      // Layers of roots may belong to accounts that only a namespace has.
      const host = findLocalHost({
        stateDirectory: directory,
        without: new Set(),
        usesControlGroups: false,
      });
      if (host === undefined) rmSync(directory, { recursive: true, force: true });
      else await removeTree(host, directory);
    },
  };
}

const ordinarySpec: Omit<SandboxSpec, "workspace" | "image"> = {
  owner: "test",
  vm: "vm",
  reason: "a test",
  limits: { memoryMb: 512, pids: 200, cpus: 2, diskMb: 512, lifetimeMs: 600_000 },
  network: "none",
  env: {},
};

export function findControlGroups(ref: string): string[] {
  return readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([, , type]) => type === "cgroup" || type === "cgroup2")
    .flatMap(([, at = ""]) => readdirSync(at).map((name) => join(at, name)))
    .filter((path) => path.includes("agentos-sandbox-") && path.endsWith(ref));
}
