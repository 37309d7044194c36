import { describe, expect, it } from "vitest";
import { describeStatus } from "../../../src/sandbox-escalation/command/show-status.ts";
import type { EscalationAnswer, Offer } from "../../../src/sandbox-escalation/policy/offer.ts";
import { describeRefusal, OfferBoard } from "../../../src/sandbox-escalation/policy/offer-board.ts";
import type { Probe } from "../../../src/sandbox-escalation/provider.ts";
import { Escalation, request } from "../../support/escalation.ts";
import { ProcessProvider } from "../../support/process-provider.ts";

/** A provider that can be used or not, as the test has it, and counts who asks. */
class ProbedProvider extends ProcessProvider {
  refusal: Extract<Probe, { isUsable: false }> | undefined;
  error: Error | undefined;
  probes = 0;

  override async probe(): Promise<Probe> {
    this.probes += 1;
    if (this.error !== undefined) throw this.error;
    return this.refusal ?? super.probe();
  }
}

function offerOf(provider: ProcessProvider, more: Partial<Offer> = {}): Offer {
  return {
    provider,
    policy: "auto",
    image: "host",
    network: "none",
    limits: { memoryMb: 512, pids: 64, cpus: 1, diskMb: 100, lifetimeMs: 3_600_000 },
    idleMs: 60_000,
    costUsdPerHour: 0,
    env: {},
    ...more,
  };
}

describe("several offers", () => {
  it("are taken in their order, without those that cannot be used", async () => {
    const [first, second] = [new ProbedProvider("local"), new ProbedProvider("e2b")];
    first.refusal = { isUsable: false, reason: "No bwrap.", fix: "install it" };
    let nowMs = 0;
    const board = new OfferBoard([offerOf(first), offerOf(second)], () => nowMs);
    expect((await board.choose(undefined)).provider.id).toBe("e2b");
    expect((await board.look()).map(describeRefusal)).toEqual([
      "No bwrap. To allow it: install it.",
      "",
    ]);
    expect([first.probes, second.probes]).toEqual([1, 1]);
    first.refusal = undefined;
    nowMs = 10_000;
    expect((await board.choose(undefined)).provider.id).toBe("local");
    expect([first.probes, second.probes]).toEqual([2, 1]);
  });

  it("that cannot be used at all say why, each, and what to do", async () => {
    const [first, second] = [new ProbedProvider("local"), new ProbedProvider("e2b")];
    first.error = new Error("broken");
    second.refusal = { isUsable: false, reason: "There is no key.", fix: "set E2B_API_KEY" };
    const board = new OfferBoard([offerOf(first), offerOf(second)], () => 0);
    await expect(board.choose(undefined)).rejects.toMatchObject({
      code: "unavailable",
      message:
        "No provider can be used here. local: broken e2b: There is no key. To allow it: set E2B_API_KEY.",
    });
  });

  it("that do not answer hold nobody up who only looks", async () => {
    const slow = new ProbedProvider("e2b");
    slow.probe = () => new Promise(() => undefined);
    const board = new OfferBoard([offerOf(slow)], () => 0);
    expect((await board.look(10)).map(describeRefusal)).toEqual(["It has not answered yet."]);
    expect((await board.choose(undefined)).provider.id).toBe("e2b");
  });

  it("are chosen by name, if the policy has them", async () => {
    const providers = ["local", "e2b", "docker"].map((id) => new ProbedProvider(id));
    const offers = providers.map((provider) =>
      offerOf(provider, { policy: provider.id === "docker" ? "deny" : "auto" }),
    );
    const board = new OfferBoard(offers, () => 0);
    expect((await board.choose("e2b")).provider.id).toBe("e2b");
    await expect(board.choose("docker")).rejects.toThrow(
      'The provider "docker" is not offered (offered: local, e2b).',
    );
    expect(providers.map(({ probes }) => probes)).toEqual([0, 1, 0]);
  });
});

describe("what cannot be used", () => {
  it("is asked of nobody", async () => {
    const provider = new ProbedProvider("e2b");
    provider.refusal = { isUsable: false, reason: "There is no key.", fix: "set E2B_API_KEY" };
    let questions = 0;
    const ask = async (): Promise<EscalationAnswer> => {
      questions += 1;
      return { isAllowed: true, by: "test" };
    };
    const controller = new Escalation({ offers: [{ provider, policy: "ask" }], ask }).controller();
    await expect(controller.ensure(request())).rejects.toMatchObject({
      code: "unavailable",
      message: "No provider can be used here. e2b: There is no key. To allow it: set E2B_API_KEY.",
    });
    expect(questions).toBe(0);
  });

  it("costs a VM no sandbox that it has stopped", async () => {
    const other = new ProbedProvider("e2b");
    other.refusal = { isUsable: false, reason: "There is no key." };
    const escalation = new Escalation({ offers: [{}, { provider: other }] });
    const controller = escalation.controller();
    await controller.ensure(request());
    await controller.stop("test");
    await expect(controller.ensure(request({ provider: "e2b" }))).rejects.toThrow(
      "e2b cannot be used here: There is no key.",
    );
    expect(controller.state).toBe("stopped");
    await controller.destroy();
  });

  it("is not what a status names first", async () => {
    const [first, second] = [new ProbedProvider("e2b"), new ProbedProvider("local")];
    first.refusal = { isUsable: false, reason: "There is no key." };
    const escalation = new Escalation({ offers: [{ provider: first }, { provider: second }] });
    const status = await describeStatus(escalation.controller());
    expect(status).toContain("\nprovider local, image host");
    expect(status).toContain("\ncannot be used: e2b: There is no key.\n");
  });
});

describe("a VM's provider", () => {
  it("is the one asked for; another follows only when the first has stopped", async () => {
    const other = new ProcessProvider("e2b");
    const escalation = new Escalation({ offers: [{}, { provider: other }] });
    const controller = escalation.controller();
    await controller.ensure(request({ provider: "local" }));
    await expect(controller.ensure(request({ provider: "e2b" }))).rejects.toThrow(
      "The VM's sandbox is of the provider local. For another one, run sandbox stop first.",
    );
    await controller.stop("test");
    await controller.ensure(request());
    expect(escalation.provider.created.length).toBe(1);
    await controller.stop("test");
    await controller.ensure(request({ provider: "e2b" }));
    expect(other.created.length).toBe(1);
    expect(escalation.provider.created[0]?.isDestroyed).toBe(true);
    expect(controller.status().offer?.provider.id).toBe("e2b");
    await controller.destroy();
  });
});
