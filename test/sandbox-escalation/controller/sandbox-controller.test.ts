import { describe, expect, it } from "vitest";
import type { EscalationQuestion } from "../../../src/sandbox-escalation/policy/offer.ts";
import { SandboxError } from "../../../src/sandbox-escalation/provider.ts";
import { Escalation, request } from "../../support/escalation.ts";

describe("the start of a sandbox", () => {
  it("happens once, however many want one", async () => {
    const escalation = new Escalation();
    const controller = escalation.controller();
    const sandboxes = await Promise.all([1, 2, 3].map(() => controller.ensure(request())));
    expect(new Set(sandboxes).size).toBe(1);
    expect(escalation.provider.created.length).toBe(1);
    expect(escalation.kinds()).toEqual(["requested", "allowed", "started"]);
    expect(escalation.provider.created[0]?.spec).toMatchObject({
      owner: "tests",
      vm: "one",
      reason: "make",
    });
  });

  it("is called off when the last who waits gives up, and not before", async () => {
    const escalation = new Escalation();
    const controller = escalation.controller();
    let open = (): void => undefined;
    escalation.provider.gate = new Promise((resolve) => {
      open = resolve;
    });
    const first = new AbortController();
    const second = new AbortController();
    const waits = [first, second].map(({ signal }) => controller.ensure(request({ signal })));
    first.abort(new Error("first left"));
    await expect(waits[0]).rejects.toThrow("first left");
    expect(controller.state).toBe("starting");
    second.abort(new Error("second left"));
    await expect(waits[1]).rejects.toThrow("second left");
    open();
    await expect.poll(() => controller.state).toBe("none");
    expect(escalation.provider.created).toEqual([]);
  });

  it("that fails half-way leaves nothing, and can be tried again", async () => {
    const escalation = new Escalation({ serverLimits: { running: 1 } });
    const controller = escalation.controller();
    escalation.provider.failure = new SandboxError("failed", "no disk");
    await expect(controller.ensure(request())).rejects.toThrow("no disk");
    expect(controller.state).toBe("none");
    escalation.provider.failure = undefined;
    await controller.ensure(request());
    expect(controller.state).toBe("running");
    expect(escalation.kinds()).toContain("start failed");
  });
});

describe("the policy", () => {
  it("refuses what is denied, and says what is offered", async () => {
    const escalation = new Escalation({ offers: [{ policy: "deny" }] });
    const controller = escalation.controller();
    await expect(controller.ensure(request())).rejects.toThrow("No sandboxes are allowed here.");
    await expect(controller.ensure(request({ provider: "local" }))).rejects.toThrow(
      'The provider "local" is not offered (offered: none).',
    );
    expect(escalation.kinds()).toEqual(["requested", "denied", "requested", "denied"]);
  });

  it("asks once for all who wait, with reason, provider and limits", async () => {
    const asked: EscalationQuestion[] = [];
    const ask = async (question: EscalationQuestion) => {
      asked.push(question);
      return { isAllowed: true, by: "me" };
    };
    const escalation = new Escalation({ offers: [{ policy: "ask" }], ask });
    const controller = escalation.controller();
    await Promise.all([controller.ensure(request()), controller.ensure(request())]);
    expect(asked.length).toBe(1);
    expect(asked[0]).toMatchObject({
      vm: "one",
      reason: "make",
      pid: 7,
      offer: { limits: { memoryMb: 512 } },
    });
    await controller.stop("test");
    await controller.ensure(request());
    expect(asked.length).toBe(1);
  });

  it("starts nothing where somebody says no", async () => {
    const escalation = new Escalation({ offers: [{ policy: "ask" }] });
    const controller = escalation.controller();
    await expect(controller.ensure(request())).rejects.toMatchObject({ code: "denied" });
    expect(escalation.provider.created).toEqual([]);
    expect(escalation.kinds()).toEqual(["requested", "denied"]);
  });
});

describe("limits of use", () => {
  it("count the starts of the VM that succeed", async () => {
    const escalation = new Escalation({ vmLimits: { starts: 1 } });
    const controller = escalation.controller();
    escalation.provider.failure = new SandboxError("failed", "no disk");
    await expect(controller.ensure(request())).rejects.toThrow("no disk");
    escalation.provider.failure = undefined;
    await controller.ensure(request());
    await controller.stop("test");
    await expect(controller.ensure(request())).rejects.toThrow(
      "No sandbox is started: sandboxes of the VM were started 1 times, the limit.",
    );
  });

  it("count what runs at the server, over all VMs", async () => {
    const escalation = new Escalation({ serverLimits: { running: 1 } });
    const [one, two] = [escalation.controller("one"), escalation.controller("two")];
    await one.ensure(request());
    await expect(two.ensure(request())).rejects.toMatchObject({ code: "limit" });
    await one.stop("test");
    await two.ensure(request());
    expect(two.state).toBe("running");
  });

  it.each([
    ["minutes", { minutes: 10 }, "sandboxes of the VM ran for 10 minutes, the limit"],
    ["money", { costUsd: 1 }, "sandboxes of the VM cost 1 USD, the limit"],
  ])("stop a sandbox that has used up its %s, even with processes", async (_, vmLimits, why) => {
    const escalation = new Escalation({ vmLimits, offers: [{ costUsdPerHour: 6 }] });
    const controller = escalation.controller();
    const { process } = await controller.spawn(["sleep", "60"], { env: {} }, request());
    escalation.nowMs += 9 * 60_000;
    await controller.tick();
    expect(controller.state).toBe("running");
    escalation.nowMs += 60_000;
    await controller.tick();
    expect(controller.status()).toMatchObject({ state: "stopped", lastEnd: why });
    expect(await process.ended).toMatchObject({ signal: "SIGKILL" });
    await expect(controller.ensure(request())).rejects.toMatchObject({ code: "limit" });
  });
});

describe("the life of a sandbox", () => {
  it("pauses when it is idle, and goes on where it was", async () => {
    const escalation = new Escalation();
    const controller = escalation.controller();
    await controller.ensure(request());
    escalation.nowMs += 60_000;
    await controller.tick();
    expect(controller.status()).toMatchObject({ state: "stopped", lastEnd: "idle" });
    await controller.ensure(request());
    expect(escalation.provider.created.length).toBe(1);
    expect(escalation.provider.created[0]?.resumes).toBe(1);
  });

  it("does not pause while a process runs, nor soon after", async () => {
    const escalation = new Escalation();
    const controller = escalation.controller();
    const held = await controller.spawn(["cat"], { env: {} }, request());
    escalation.nowMs += 120_000;
    await controller.tick();
    expect(controller.state).toBe("running");
    await held.process.closeInput();
    await held.process.ended;
    await expect.poll(() => controller.processes.runningCount).toBe(0);
    escalation.nowMs += 59_000;
    await controller.tick();
    expect(controller.state).toBe("running");
  });

  it("ends with its lifetime, also where it is stopped", async () => {
    const escalation = new Escalation();
    const [one, two] = [escalation.controller("one"), escalation.controller("two")];
    await one.ensure(request());
    await two.ensure(request());
    await two.stop("test");
    escalation.nowMs += 3_600_000;
    await Promise.all([one.tick(), two.tick()]);
    expect([one.state, two.state]).toEqual(["none", "none"]);
    expect(escalation.provider.created.map(({ isDestroyed }) => isDestroyed)).toEqual([true, true]);
    await one.ensure(request());
    expect(escalation.provider.created.length).toBe(3);
  });

  it("ends with its VM, also while it starts", async () => {
    const escalation = new Escalation();
    const [one, two] = [escalation.controller("one"), escalation.controller("two")];
    await one.ensure(request());
    const starting = two.ensure(request());
    await Promise.all([one.destroy(), two.destroy()]);
    await expect(starting).rejects.toThrow("The VM is gone.");
    expect(escalation.provider.created.every(({ isDestroyed }) => isDestroyed)).toBe(true);
    await expect(one.ensure(request())).rejects.toMatchObject({ code: "gone" });
    await one.destroy();
  });

  it("that the provider ended is over for all, and the next use makes another", async () => {
    const escalation = new Escalation();
    const controller = escalation.controller();
    const { process } = await controller.spawn(["sleep", "60"], { env: {} }, request());
    escalation.provider.created[0]?.lose("it took too much memory");
    expect(await process.ended).toMatchObject({ signal: "SIGKILL" });
    await expect.poll(() => controller.state).toBe("none");
    expect(controller.status().lastEnd).toBe("it took too much memory");
    await controller.ensure(request());
    expect(escalation.provider.created.map(({ isDestroyed }) => isDestroyed)).toEqual([
      true,
      false,
    ]);
  });

  it("is not over before its provider confirms it: the end is tried again", async () => {
    const escalation = new Escalation();
    const controller = escalation.controller();
    await controller.ensure(request());
    const [sandbox] = escalation.provider.created;
    if (sandbox !== undefined) sandbox.destroyFailure = new SandboxError("not-confirmed", "502");
    await controller.destroy();
    expect(escalation.disposal.leftCount).toBe(1);
    expect(escalation.kinds()).toContain("not destroyed");
    if (sandbox !== undefined) sandbox.destroyFailure = undefined;
    await escalation.disposal.tick();
    expect(escalation.disposal.leftCount).toBe(0);
    expect(sandbox?.isDestroyed).toBe(true);
  });

  it("is destroyed by a stop that would keep nothing of it", async () => {
    const escalation = new Escalation();
    escalation.provider.stopKeeps = "nothing";
    const controller = escalation.controller();
    await controller.ensure(request());
    expect(await controller.stop("test")).toBe(true);
    expect(controller.state).toBe("none");
    expect(escalation.provider.created[0]?.isDestroyed).toBe(true);
  });
});
