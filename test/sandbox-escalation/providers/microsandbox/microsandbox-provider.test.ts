import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ExecFiles } from "../../../../src/sandbox-escalation/files/exec/exec-files.ts";
import type { SandboxSpec } from "../../../../src/sandbox-escalation/provider.ts";
import {
  MicrosandboxProvider,
  type MicrosandboxProviderOptions,
} from "../../../../src/sandbox-escalation/providers/microsandbox/microsandbox-provider.ts";
import { sh } from "../../../contract/sandbox-provider/run-in-sandbox.ts";
import {
  describeSandboxProviderContract,
  type ProviderUnderTest,
} from "../../../contract/sandbox-provider-contract.ts";
import { unless } from "../../../support/unless.ts";
import { findObstacle } from "../local/local-under-test.ts";
import { StandingInLibrary } from "./standing-in-library.ts";

const obstacle = await findObstacle();

const spec: SandboxSpec = {
  owner: "test",
  vm: "vm",
  reason: "a test",
  image: "debian:13",
  workspace: "/nowhere",
  limits: { memoryMb: 256, pids: 200, cpus: 2.5, diskMb: 512, lifetimeMs: 600_000 },
  network: "none",
  env: {},
};

function openProvider(
  standIn: StandingInLibrary,
  options: Partial<MicrosandboxProviderOptions> = {},
): MicrosandboxProvider {
  return new MicrosandboxProvider({
    openFiles: async (sandbox) => new ExecFiles(sandbox),
    find: async () => standIn.microsandbox,
    ...options,
  });
}

describeSandboxProviderContract(
  "microsandbox, by what stands in for its library",
  async (): Promise<ProviderUnderTest> => {
    const standIn = new StandingInLibrary();
    return {
      provider: openProvider(standIn),
      makeSpec: async (overrides = {}) => ({ ...spec, ...overrides }),
      findRemains: async (ref) => (standIn.boxes.has(ref) ? [ref] : []),
      close: () => standIn.close(),
    };
  },
  { all: obstacle, limits: "what stands in has no memory of its own" },
);

describe("microsandbox", unless(obstacle), () => {
  let standIn: StandingInLibrary;

  beforeEach(() => {
    standIn = new StandingInLibrary();
  });

  afterEach(() => standIn.close());

  it("asks for the size, the end, no network, no download, and labels", async () => {
    const made = await openProvider(standIn).create({ ...spec, env: { TOKEN: "secret-1" } });
    const settings = standIn.boxes.get(made.ref)?.settings ?? new Map();
    expect(Object.fromEntries(settings)).toEqual({
      image: "debian:13",
      rootDisk: 512,
      cpus: 2,
      memory: 256,
      maxDuration: 600,
      quietLogs: true,
      pullPolicy: "never",
      disableNetwork: true,
      labels: {
        "agentos-mcp.owner": "test",
        "agentos-mcp.vm": "vm",
        "agentos-mcp.server": expect.any(String),
        "agentos-mcp.ends": expect.stringMatching(/^\d+$/),
      },
    });
    expect((await sh(made, "echo $TOKEN")).stdout).toBe("secret-1\n");
    expect(await made.usage()).toMatchObject({ cpuMs: 5, memoryBytes: 4096 });
    await made.destroy();
  });

  it("asks for a network and a download where it may", async () => {
    const provider = openProvider(standIn, { canPull: true });
    const made = await provider.create({ ...spec, network: "full" });
    const settings = standIn.boxes.get(made.ref)?.settings;
    expect(settings?.get("pullPolicy")).toBe("if-missing");
    expect(settings?.has("disableNetwork")).toBe(false);
    await made.destroy();
  });

  it("stops for a snapshot, goes on, and makes another of it", async () => {
    const provider = openProvider(standIn);
    const made = await provider.create(spec);
    await sh(made, "echo kept > /file");
    const image = await made.snapshot("mine");
    expect(image).toBe("snapshot:mine");
    expect((await sh(made, "cat /file")).stdout).toBe("kept\n");
    await expect(made.snapshot("mine")).rejects.toMatchObject({ code: "failed" });
    expect((await sh(made, "echo on")).stdout).toBe("on\n");
    const other = await provider.create({ ...spec, image });
    expect((await sh(other, "cat /file")).stdout).toBe("kept\n");
    await other.destroy();
    await made.destroy();
  });

  it("does not believe a removal that did not happen", async () => {
    const made = await openProvider(standIn).create(spec);
    standIn.isForgetful = true;
    await expect(made.destroy()).rejects.toMatchObject({ code: "not-confirmed" });
    standIn.isForgetful = false;
    await made.destroy();
    expect(standIn.boxes.has(made.ref)).toBe(false);
  });

  it("finds all of an owner, page by page", async () => {
    const provider = openProvider(standIn);
    const refs = [];
    for (let n = 0; n < 3; n++) refs.push((await provider.create(spec)).ref);
    expect((await provider.list("test")).map(({ ref }) => ref)).toEqual(refs);
  });

  it("says that a machine which ended is gone", async () => {
    const made = await openProvider(standIn).create(spec);
    await standIn.boxes.get(made.ref)?.stop();
    expect(await made.gone).toMatch(/ended/);
    await made.destroy();
  });

  it("says how an image is had, and leaves nothing of what did not boot", async () => {
    standIn.failure = "image";
    await expect(openProvider(standIn).create(spec)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("msb pull debian:13"),
    });
    standIn.failure = "runtime";
    await expect(openProvider(standIn).create(spec)).rejects.toMatchObject({ code: "failed" });
    expect(standIn.boxes.size).toBe(0);
  });

  it.each(["host", "", "/srv/root", "./root", "disk.qcow2", "a b"])(
    "refuses %j as an image",
    async (image) => {
      const made = openProvider(standIn).create({ ...spec, image });
      await expect(made).rejects.toMatchObject({ code: "unsupported" });
    },
  );

  it("boots once to be sure, where it is told to", async () => {
    const provider = openProvider(standIn, { bootImage: "debian:13" });
    expect(await provider.probe()).toMatchObject({ isUsable: true });
    standIn.failure = "runtime";
    expect(await provider.probe()).toMatchObject({ isUsable: true });
    expect(await openProvider(standIn, { bootImage: "debian:13" }).probe()).toEqual({
      isUsable: false,
      reason: "It does not boot here. microsandbox: runtime",
      fix: "see: msb doctor",
    });
    standIn.failure = "image";
    expect(await openProvider(standIn, { bootImage: "none" }).probe()).toMatchObject({
      isUsable: true,
    });
    expect(standIn.boxes.size).toBe(0);
  });

  it("says that the library is missing", async () => {
    const provider = openProvider(standIn, { find: async () => undefined });
    expect(await provider.probe()).toEqual({
      isUsable: false,
      reason: "The library microsandbox is missing, or is not for this machine.",
      fix: "npm install -g microsandbox",
    });
    await expect(provider.create(spec)).rejects.toMatchObject({ code: "unavailable" });
  });
});
