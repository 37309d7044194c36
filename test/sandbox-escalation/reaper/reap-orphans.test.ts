import { describe, expect, it } from "vitest";
import { SandboxError } from "../../../src/sandbox-escalation/provider.ts";
import { readServerMark } from "../../../src/sandbox-escalation/providers/local/server-mark.ts";
import { reapOrphans } from "../../../src/sandbox-escalation/reaper/reap-orphans.ts";
import { Escalation, request } from "../../support/escalation.ts";

async function orphans(count: number): Promise<Escalation> {
  const escalation = new Escalation();
  for (let n = 0; n < count; n++) await escalation.controller(`vm-${n}`).ensure(request());
  return escalation;
}

function reap({ provider, disposal, records }: Escalation, madeBeforeMs = 1): Promise<number> {
  return reapOrphans({
    providers: [provider],
    owner: "tests",
    madeBeforeMs,
    disposal,
    records,
    log: () => undefined,
  });
}

describe("the reaper", () => {
  it("destroys what was there before", async () => {
    const escalation = await orphans(3);
    expect(await reap(escalation)).toBe(3);
    expect(escalation.provider.created.every(({ isDestroyed }) => isDestroyed)).toBe(true);
    expect(escalation.kinds("vm-0").slice(-2)).toEqual(["reaped", "destroyed"]);
  });

  it("lets be what was made since", async () => {
    const escalation = await orphans(1);
    expect(await reap(escalation, 0)).toBe(0);
    expect(escalation.provider.created[0]?.isDestroyed).toBe(false);
  });

  it("knows by its maker what is its own, whatever a provider's clock says", async () => {
    const escalation = await orphans(2);
    const list = escalation.provider.list.bind(escalation.provider);
    const marks = [readServerMark(), "1-0"];
    escalation.provider.list = async (owner) =>
      (await list(owner)).map((record, i) => ({ ...record, server: marks[i] ?? "" }));
    expect(await reap(escalation, 0)).toBe(1);
    expect(escalation.provider.created.map(({ isDestroyed }) => isDestroyed)).toEqual([
      false,
      true,
    ]);
  });

  it("goes on after one that is not confirmed, and after a provider that cannot list", async () => {
    const escalation = await orphans(2);
    const [first] = escalation.provider.created;
    if (first !== undefined) first.destroyFailure = new SandboxError("not-confirmed", "502");
    expect(await reap(escalation)).toBe(1);
    expect(escalation.disposal.leftCount).toBe(1);
    escalation.provider.list = () => Promise.reject(new Error("offline"));
    expect(await reap(escalation)).toBe(0);
  });
});
