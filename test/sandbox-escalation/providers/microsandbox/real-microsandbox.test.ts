// The real library, where AGENTOS_MICROSANDBOX names a folder that has it (npm install microsandbox): the contract where
// a microVM boots, else the reason why none does.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ExecFiles } from "../../../../src/sandbox-escalation/files/exec/exec-files.ts";
import { findMicrosandbox } from "../../../../src/sandbox-escalation/providers/microsandbox/microsandbox-library.ts";
import { MicrosandboxProvider } from "../../../../src/sandbox-escalation/providers/microsandbox/microsandbox-provider.ts";
import { describeSandboxProviderContract } from "../../../contract/sandbox-provider-contract.ts";
import { unless } from "../../../support/unless.ts";

const folder = process.env["AGENTOS_MICROSANDBOX"];
const image = process.env["AGENTOS_MICROSANDBOX_IMAGE"] ?? "debian:13";

const provider = new MicrosandboxProvider({
  openFiles: async (sandbox) => new ExecFiles(sandbox),
  find: async () =>
    folder === undefined ? undefined : await findMicrosandbox(join(folder, "package.json")),
});
const probe = await provider.probe();

describeSandboxProviderContract(
  "microsandbox",
  async () => ({
    provider,
    makeSpec: async (overrides = {}) => ({
      owner: "test",
      vm: "vm",
      reason: "a test",
      image,
      workspace: "/nowhere",
      limits: { memoryMb: 512, pids: 200, cpus: 2, diskMb: 1024, lifetimeMs: 600_000 },
      network: "none",
      env: {},
      ...overrides,
    }),
    findRemains: async (ref) =>
      (await provider.list("test")).map((found) => found.ref).filter((one) => one === ref),
    close: async () => {},
  }),
  { all: probe.isUsable ? undefined : probe.reason, limits: "nobody counts its processes" },
);

describe(
  "microsandbox where it cannot boot",
  unless(probe.isUsable ? "it boots here" : undefined),
  () => {
    it("says why, and what to do", () => {
      expect(probe).toEqual({
        isUsable: false,
        reason: expect.stringMatching(
          /^(The library microsandbox is missing|microsandbox cannot run here: .+)/,
        ),
        fix: expect.stringMatching(/npm install|enable|msb doctor|\/dev\/kvm|kvm/),
      });
    });
  },
);
