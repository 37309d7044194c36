import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ServerRequests } from "../../../src/vm/cell/server-requests.ts";
import type { FromCell } from "../../../src/vm/wire/from-cell.ts";
import { linkStreams } from "../../support/linked-streams.ts";

const REQUESTS_LIMIT = 16;

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

const wish = { folder: 0, path: "f", offset: 0, length: 3 };
const value = { sizeBytes: 3, mtimeMs: 1 };

describe("ServerRequests", () => {
  it("gives each request its own answer, with bytes of its own", async () => {
    const { requests, sent } = open();
    const one = requests.request("software.read", wish);
    const two = requests.request("software.list", { folder: 0, path: "", from: 0 });
    await turn();
    const [first, second] = sent;
    expect(first).toEqual({ type: "request", id: 1, method: "software.read", params: wish });
    const chunk = Uint8Array.of(1, 2, 3, 4);
    requests.receive({ type: "reply", id: second?.id ?? 0, value: {} }, chunk.subarray(3));
    requests.receive({ type: "reply", id: first?.id ?? 0, value }, chunk.subarray(0, 3));
    chunk.fill(0);
    expect(await one).toEqual({ value, body: Uint8Array.of(1, 2, 3) });
    expect(await two).toEqual({ value: {}, body: Uint8Array.of(4) });
  });

  it("fails as the server refuses", async () => {
    const { requests } = open();
    const asked = requests.request("software.read", wish);
    await turn();
    requests.receive(
      { type: "refusal", id: 1, errno: "ESTALE", reason: "changed" },
      new Uint8Array(),
    );
    await expect(asked).rejects.toMatchObject({ errno: "ESTALE", reason: "changed" });
  });

  it("never has more under way than the server takes", async () => {
    const { requests, sent } = open();
    const asked = Array.from({ length: 100 }, () => requests.request("software.read", wish));
    const settled = Promise.allSettled(asked);
    let answered = 0;
    while (answered < asked.length) {
      await turn();
      expect(sent.length - answered).toBeLessThanOrEqual(REQUESTS_LIMIT);
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
