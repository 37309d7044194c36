import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DaytonaProvider } from "../../../../src/sandbox-escalation/providers/daytona/daytona-provider.ts";
import { sh } from "../../../contract/sandbox-provider/run-in-sandbox.ts";
import { unless } from "../../../support/unless.ts";
import { findObstacle } from "../local/local-under-test.ts";
import { openProvider, spec } from "./daytona-under-test.ts";
import { API_KEY, FakeDaytona } from "./fake-daytona.ts";

const obstacle = await findObstacle();

describe("daytona's failures", unless(obstacle), () => {
  let fake: FakeDaytona;

  beforeAll(async () => {
    fake = await FakeDaytona.start();
  });

  beforeEach(() => {
    fake.mishaps.length = 0;
  });

  afterAll(() => fake.stop());

  it("says why it cannot be used, and never the key", async () => {
    const wrong = `dtn_${"f".repeat(64)}`;
    const refused = await openProvider(fake.url, wrong).probe();
    expect(refused).toMatchObject({ isUsable: false, fix: "check DAYTONA_API_KEY" });
    expect(JSON.stringify(refused)).not.toContain(wrong);
    const unreached = await openProvider("http://127.0.0.1:1").probe();
    expect(unreached).toMatchObject({ isUsable: false, fix: /DAYTONA_API_URL/ });
    fake.mishaps.push({ route: "GET sandbox", status: 503, times: 4 });
    const busy = await openProvider(fake.url).probe();
    expect(busy).toEqual({ isUsable: false, reason: expect.stringContaining("try again") });
    const openFiles = () => Promise.reject(new Error("nothing is opened"));
    const keyless = new DaytonaProvider({ access: undefined, openFiles });
    const fix = "set DAYTONA_API_KEY";
    expect(await keyless.probe()).toMatchObject({ isUsable: false, fix });
    await expect(keyless.create(spec)).rejects.toMatchObject({ code: "unavailable" });
  });

  it.each(["http://daytona.example", "ftp://127.0.0.1", "nonsense"])(
    "does not send the key to %s",
    async (url) => {
      expect(await openProvider(url).probe()).toMatchObject({ isUsable: false });
      await expect(openProvider(url).create(spec)).rejects.toThrow(/encryption|no URL/);
    },
  );

  it.each([
    [401, "unavailable", /DAYTONA_API_KEY/],
    [402, "denied", /credit/],
    [403, "denied", /rights/],
    [429, "limit", /later/],
    [400, "failed", /Total CPU limit exceeded/],
    [500, "failed", /try again/],
  ])("says what to do when a creation is answered %i", async (status, code, words) => {
    const message = `Total CPU limit exceeded for ${API_KEY}`;
    fake.mishaps.push({ route: "POST sandbox", status, message, times: 1 });
    const failure: unknown = await openProvider(fake.url)
      .create(spec)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(JSON.stringify(failure) + String(failure)).not.toContain(API_KEY);
    expect(fake.sandboxes.size).toBe(0);
  });

  it("asks again where nothing is made by it", async () => {
    for (const route of ["GET sandbox", "POST sandbox/stop", "DELETE sandbox"])
      fake.mishaps.push({ route, status: route === "GET sandbox" ? 429 : 503, times: 2 });
    const made = await openProvider(fake.url).create(spec);
    await made.stop();
    await made.resume();
    await made.destroy();
    expect(fake.mishaps.map(({ times }) => times)).toEqual([0, 0, 0]);
    expect(fake.sandboxes.size).toBe(0);
  });

  it("leaves nothing when the answer to a creation is lost", async () => {
    fake.mishaps.push({ route: "POST sandbox", status: 0, times: 1 });
    await expect(openProvider(fake.url).create(spec)).rejects.toThrow(/did not answer/);
    expect(fake.sandboxes.size).toBe(0);
  });

  it("does not believe a deletion that did not happen", async () => {
    const made = await openProvider(fake.url).create(spec);
    fake.isForgetful = true;
    await expect(made.destroy()).rejects.toMatchObject({ code: "not-confirmed" });
    fake.isForgetful = false;
    await made.destroy();
    expect(fake.sandboxes.size).toBe(0);
  });

  it("says when it may run on", async () => {
    const made = await openProvider(fake.url).create(spec);
    fake.mishaps.push({ route: "POST sandbox/stop", status: 500, times: 9 });
    await expect(made.stop()).rejects.toMatchObject({ code: "not-confirmed" });
    fake.mishaps.length = 0;
    await made.destroy();
    expect(fake.sandboxes.size).toBe(0);
  });

  it.each([
    "agentos:x86_64\nagentos:/home/$(reboot)\nagentos:/bin\nagentos:user\n",
    "agentos:x86_64\nagentos:relative\nagentos:/bin\nagentos:user\n",
    "agentos:riscv64\nagentos:/home/user\nagentos:/bin\nagentos:user\n",
    "agentos:x86_64\n",
    "",
    "x".repeat(100_000),
  ])("leaves nothing of a sandbox whose toolbox lies (%#)", async (lie) => {
    const made = openProvider(fake.url).create(spec);
    const timer = setInterval(() => {
      for (const { toolbox } of fake.sandboxes.values()) toolbox.lie = lie;
    }, 1);
    await expect(made).rejects.toMatchObject({ code: /failed|unsupported/ });
    clearInterval(timer);
    expect(fake.sandboxes.size).toBe(0);
  });

  it("stops what cannot be started again, so that it costs nothing", async () => {
    const made = await openProvider(fake.url).create(spec);
    await sh(made, "echo kept > file");
    await made.stop();
    const [sandbox] = fake.sandboxes.values();
    if (sandbox === undefined) throw new Error("there is none");
    sandbox.toolbox.lie = "nonsense";
    await expect(made.resume()).rejects.toMatchObject({ code: "unsupported" });
    expect(sandbox.state).toBe("stopped");
    sandbox.toolbox.lie = undefined;
    await made.resume();
    expect((await sh(made, "cat file")).stdout).toBe("kept\n");
    await made.destroy();
  });

  it("sets itself up whatever lies in its place, or says why it cannot", async () => {
    const made = await openProvider(fake.url).create(spec);
    await sh(made, "cd; rm .agentos-agent; mkdir -p .agentos-agent/x");
    await made.stop();
    await made.resume();
    await sh(made, "cd; rm .agentos-agent; chmod 500 .");
    await made.stop();
    await expect(made.resume()).rejects.toThrow(/agentos-agent.*denied/i);
    await made.destroy();
  });

  it("says why an image could not be built", async () => {
    const made = openProvider(fake.url).create({ ...spec, image: "image:nothing:1" });
    const timer = setInterval(() => {
      for (const sandbox of fake.sandboxes.values()) {
        if (sandbox.state === "destroying") continue;
        Object.assign(sandbox, { state: "build_failed", errorReason: "no such image" });
      }
    }, 1);
    await expect(made).rejects.toThrow(/build_failed.*no such image/);
    clearInterval(timer);
    await expect.poll(() => fake.sandboxes.size).toBe(0);
  });
});
