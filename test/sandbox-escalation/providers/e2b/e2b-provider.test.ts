import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExecFiles } from "../../../../src/sandbox-escalation/files/exec/exec-files.ts";
import type { SandboxSpec } from "../../../../src/sandbox-escalation/provider.ts";
import { E2bProvider } from "../../../../src/sandbox-escalation/providers/e2b/e2b-provider.ts";
import {
  describeSandboxProviderContract,
  type ProviderUnderTest,
} from "../../../contract/sandbox-provider-contract.ts";
import { unless } from "../../../support/unless.ts";
import { findObstacle } from "../local/local-under-test.ts";
import { API_KEY, FakeE2b } from "./fake-e2b.ts";

const obstacle = await findObstacle();

const spec: SandboxSpec = {
  owner: "test",
  vm: "vm",
  reason: "a test",
  image: "base",
  workspace: "/nowhere",
  limits: { memoryMb: 256, pids: 200, cpus: 2, diskMb: 512, lifetimeMs: 600_000 },
  network: "none",
  env: {},
};

function openProvider(url: string, apiKey = API_KEY): E2bProvider {
  return new E2bProvider({
    access: { apiKey, apiUrl: url, sandboxUrl: url },
    openFiles: async (sandbox) => new ExecFiles(sandbox),
  });
}

describeSandboxProviderContract(
  "e2b, by its own library",
  async (): Promise<ProviderUnderTest> => {
    const fake = await FakeE2b.start();
    return {
      provider: openProvider(fake.url),
      makeSpec: async (overrides = {}) => ({ ...spec, ...overrides }),
      findRemains: async (ref) => (fake.sandboxes.has(ref) ? [ref] : []),
      floodBytes: 4_000_000,
      close: () => fake.stop(),
    };
  },
  { all: obstacle, limits: "a template has its own size" },
);

describe("e2b", unless(obstacle), () => {
  let fake: FakeE2b;

  beforeAll(async () => {
    fake = await FakeE2b.start();
  });

  afterAll(() => fake.stop());

  it("sets the end of its life at the vendor, no network, and labels", async () => {
    const made = await openProvider(fake.url).create({ ...spec, env: { TOKEN: "secret-1" } });
    try {
      const { body } = fake.sandboxes.get(made.ref) ?? {};
      expect(body).toMatchObject({
        templateID: "base",
        timeout: 600,
        allow_internet_access: false,
        metadata: { "agentos-mcp.owner": "test", "agentos-mcp.vm": "vm" },
      });
      expect(JSON.stringify(body)).not.toContain("secret-1");
      await made.stop();
      await made.resume();
      expect(fake.sandboxes.get(made.ref)?.timeoutSeconds).toBeLessThanOrEqual(600);
    } finally {
      await made.destroy();
    }
  });

  it("does not believe a deletion that did not happen", async () => {
    const made = await openProvider(fake.url).create(spec);
    fake.isForgetful = true;
    await expect(made.destroy()).rejects.toMatchObject({ code: "not-confirmed" });
    fake.isForgetful = false;
    await made.destroy();
    expect(fake.sandboxes.has(made.ref)).toBe(false);
  });

  it("lists all pages", async () => {
    fake.pageLimit = 2;
    const provider = openProvider(fake.url);
    const made = [];
    for (let n = 0; n < 5; n++) made.push(await provider.create({ ...spec, owner: "many" }));
    const listed = (await provider.list("many")).map(({ ref }) => ref);
    expect(listed.toSorted()).toEqual(made.map(({ ref }) => ref).toSorted());
    for (const sandbox of made) await sandbox.destroy();
    fake.pageLimit = 100;
  });

  it("leaves nothing when the answer to a creation is lost", async () => {
    const before = fake.sandboxes.size;
    fake.nextCreation = 0;
    await expect(openProvider(fake.url).create(spec)).rejects.toMatchObject({ code: "failed" });
    expect(fake.sandboxes.size).toBe(before);
  });

  it.each([
    [401, "unavailable", /E2B_API_KEY/],
    [403, "denied", /plan/],
    [429, "limit", /later/],
    [400, "failed", /refused/],
  ])("says what to do when a creation is answered %i", async (status, code, words) => {
    fake.nextCreation = status;
    const failure: unknown = await openProvider(fake.url)
      .create(spec)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(String(failure)).not.toContain(API_KEY);
  });

  it("says which limit to set where E2B's plan allows no such life", async () => {
    const limits = { ...spec.limits, lifetimeMs: 86_400_000 * 2 };
    const made = openProvider(fake.url).create({ ...spec, limits });
    await expect(made).rejects.toThrow(/24 hours.*lifetimeMinutes/);
  });

  it("stops what cannot be started again, so that it costs nothing", async () => {
    const made = await openProvider(fake.url).create(spec);
    await made.stop();
    fake.isToolless = true;
    await expect(made.resume()).rejects.toMatchObject({ code: "failed" });
    expect(fake.sandboxes.get(made.ref)?.state).toBe("paused");
    fake.isToolless = false;
    await made.resume();
    await made.destroy();
  });

  it("is found by the next server, stopped", async () => {
    const made = await openProvider(fake.url).create(spec);
    const again = await openProvider(fake.url).attach(made.ref);
    // The one before sees its end and stops, too; in truth its server is gone.
    await made.gone;
    await made.stop();
    await again.resume();
    const process = await again.spawn(["true"], { cwd: again.cwd, env: {} });
    expect((await process.ended).status).toBe(0);
    await again.destroy();
  });

  it("says why it cannot be used, and never the key", async () => {
    const other = "e2b_" + "f".repeat(40);
    const refused = await openProvider(fake.url, other).probe();
    expect(refused).toMatchObject({ isUsable: false, fix: "check E2B_API_KEY" });
    expect(JSON.stringify(refused)).not.toContain(other);
    const keyless = new E2bProvider({
      access: undefined,
      openFiles: () => Promise.reject(new Error()),
    });
    expect(await keyless.probe()).toEqual({
      isUsable: false,
      reason: "There is no key for E2B.",
      fix: "set E2B_API_KEY",
    });
    await expect(keyless.create(spec)).rejects.toMatchObject({ code: "unavailable" });
  });

  it.each(["host", "", "a b", "x".repeat(200)])("refuses %j as a template", async (image) => {
    const made = openProvider(fake.url).create({ ...spec, image });
    await expect(made).rejects.toMatchObject({ code: "unsupported" });
  });
});
