import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HostError } from "../../src/vm/host-error.ts";
import { Slots } from "../../src/vm/slots.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const makeSlots = (): Slots =>
  new Slots({
    count: 2,
    waitingLimit: 2,
    waitLimitMs: 1000,
    refuse: (facts) => new HostError("EXEC_LIMIT", { vm: "one", ...facts }),
  });

describe("slots", () => {
  it("are given in the order in which they were asked for", async () => {
    const slots = makeSlots();
    await slots.take();
    await slots.take();
    const came: string[] = [];
    const waits = ["a", "b"].map((name) => slots.take().then(() => came.push(name)));
    slots.free();
    await waits[0];
    expect(came).toEqual(["a"]);
    slots.free();
    await waits[1];
    expect(came).toEqual(["a", "b"]);
    slots.free();
    slots.free();
    await slots.take();
    await slots.take();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("are refused when too many wait, or for too long", async () => {
    const slots = makeSlots();
    await slots.take();
    await slots.take();
    const waits = [slots.take(), slots.take()];
    const message =
      'The VM "one" runs 2 commands, which is its limit, and 2 more wait for their turn.';
    await expect(slots.take()).rejects.toMatchObject({ code: "EXEC_LIMIT", message });
    const late = Promise.allSettled(waits);
    vi.advanceTimersByTime(1000);
    expect(await late).toMatchObject([
      { status: "rejected", reason: { code: "EXEC_LIMIT", message } },
      { status: "rejected", reason: { code: "EXEC_LIMIT" } },
    ]);
    slots.free();
    await slots.take();
  });

  it("are refused together when there will be none", async () => {
    const slots = makeSlots();
    await slots.take();
    await slots.take();
    const waits = Promise.allSettled([slots.take(), slots.take()]);
    const error = new HostError("VM_DESTROYED", { vm: "one" });
    slots.refuseAll(error);
    expect(await waits).toEqual([
      { status: "rejected", reason: error },
      { status: "rejected", reason: error },
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
