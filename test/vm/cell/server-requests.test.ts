import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ServerRequests } from "../../../src/vm/cell/server-requests.ts";
import type { FromCell } from "../../../src/vm/wire/from-cell.ts";
import { MOUNT_REQUESTS_LIMIT } from "../../../src/vm/wire/mount-requests.ts";
import { linkStreams } from "../../support/linked-streams.ts";

type Request = Extract<FromCell, { type: "request" }>;

function open(): { readonly requests: ServerRequests; readonly sent: Request[] } {
  const sent: Request[] = [];
  const requests = new ServerRequests({
    send: (message) => {
      if (message.type === "request") sent.push(message);
    },
    streams: linkStreams().cell,
  });
  return { requests, sent };
}

const params = { mount: 0, request: { call: "stat", node: 1 } } as const;
const value = { offset: 3 };

describe("ServerRequests", () => {
  it("gives each request its own answer, with bytes of its own", async () => {
    const { requests, sent } = open();
    const one = requests.request("mount.call", params);
    const two = requests.request("toolkit.cancel", { stream: 2 });
    await turn();
    const [second, first] = sent;
    expect(first).toEqual({ type: "request", id: 2, method: "mount.call", params });
    const chunk = Uint8Array.of(1, 2, 3, 4);
    requests.receive({ type: "reply", id: second?.id ?? 0, value: {} }, chunk.subarray(3));
    requests.receive({ type: "reply", id: first?.id ?? 0, value }, chunk.subarray(0, 3));
    chunk.fill(0);
    expect(await one).toEqual({ value, body: Uint8Array.of(1, 2, 3) });
    expect(await two).toEqual({ value: {}, body: Uint8Array.of(4) });
  });

  it("fails as the server refuses", async () => {
    const { requests } = open();
    const asked = requests.request("mount.call", params);
    await turn();
    requests.receive(
      { type: "refusal", id: 1, errno: "ESTALE", reason: "changed" },
      new Uint8Array(),
    );
    await expect(asked).rejects.toMatchObject({ errno: "ESTALE", reason: "changed" });
  });

  it("never has more under way than the server takes", async () => {
    const { requests, sent } = open();
    const asked = Array.from({ length: 100 }, () => requests.request("mount.call", params));
    const settled = Promise.allSettled(asked);
    let answered = 0;
    while (answered < asked.length) {
      await turn();
      expect(sent.length - answered).toBeLessThanOrEqual(MOUNT_REQUESTS_LIMIT);
      const next = sent[answered];
      if (next === undefined) throw new Error("nothing was sent");
      if (answered % 3 === 0)
        requests.receive({ type: "refusal", id: next.id, errno: "EIO" }, new Uint8Array());
      else requests.receive({ type: "reply", id: next.id, value }, new Uint8Array(3));
      answered += 1;
    }
    const outcomes = await settled;
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(66);
  });
});
