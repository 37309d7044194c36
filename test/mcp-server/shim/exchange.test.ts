import { describe, expect, it } from "vitest";
import type { Line } from "../../../src/mcp-server/lines.ts";
import { Exchange, isAnswerTo, requestIdOf } from "../../../src/mcp-server/shim/exchange.ts";

const lineOf = (text: string): Line => [Buffer.from(`${text}\n`)];
const line = (message: unknown): Line => lineOf(JSON.stringify(message));

function exchange(...messages: ["client" | "server", unknown][]): Exchange {
  const made = new Exchange();
  for (const [from, message] of messages) {
    if (from === "client") made.noteFromClient(line(message));
    else made.noteFromServer(line(message));
  }
  return made;
}

describe("Exchange", () => {
  it("knows which requests of either side are open", () => {
    const made = exchange(
      ["client", { id: 1, method: "tools/list" }],
      ["client", { id: "1", method: "tools/call" }],
      ["client", { id: 2, method: "tools/call" }],
      ["server", { id: 7, method: "roots/list" }],
      ["server", { id: 8, method: "roots/list" }],
      ["server", { id: 1, result: {} }],
      ["client", { id: 7, error: {} }],
      ["server", { method: "notifications/progress" }],
    );
    expect(made.takeDebts()).toEqual({ unanswered: ["1", 2], unasked: [8], initialize: undefined });
    expect(made.takeDebts()).toEqual({ unanswered: [], unasked: [], initialize: undefined });
  });

  it("forgets requests that were cancelled, on either side", () => {
    const made = exchange(
      ["client", { id: 1, method: "tools/call" }],
      ["client", { method: "notifications/cancelled", params: { requestId: 1 } }],
      ["server", { id: 7, method: "roots/list" }],
      ["server", { method: "notifications/cancelled", params: { requestId: 7 } }],
    );
    expect(made.takeDebts()).toEqual({ unanswered: [], unasked: [], initialize: undefined });
  });

  it("waits for answers, but not for the end of a subscription", () => {
    const made = exchange(["client", { id: 1, method: "subscriptions/listen" }]);
    expect(made.isAnswerDue).toBe(false);
    made.noteFromClient(line({ id: 2, method: "tools/call" }));
    expect(made.isAnswerDue).toBe(true);
  });

  it("introduces a client that has initialized under another id", () => {
    const initialized = { method: "notifications/initialized" };
    const made = exchange(
      ["client", { jsonrpc: "2.0", id: 1, method: "initialize", params: { a: 1 } }],
      ["server", { id: 1, result: {} }],
      ["client", initialized],
    );
    expect(made.introduction("again")).toEqual({
      initialize: lineOf('{"jsonrpc":"2.0","id":"again","method":"initialize","params":{"a":1}}'),
      initialized: line(initialized),
    });
  });

  it("owes an initialize that was not answered, and then has nobody to introduce", () => {
    const initialize = { id: 1, method: "initialize" };
    const made = exchange(["client", initialize], ["client", { id: 2, method: "ping" }]);
    expect(made.takeDebts()).toEqual({
      unanswered: [2],
      unasked: [],
      initialize: line(initialize),
    });
    expect(made.introduction("again")).toBeUndefined();
  });

  it("passes over what is no JSON-RPC", () => {
    const made = new Exchange();
    for (const text of [
      "{",
      "null",
      "1",
      "[]",
      '{"id":null,"method":"x"}',
      '{"id":{},"method":"x"}',
    ]) {
      made.noteFromClient(lineOf(text));
      made.noteFromServer(lineOf(text));
      expect(requestIdOf(lineOf(text))).toBeUndefined();
      expect(isAnswerTo("x", lineOf(text))).toBe(false);
    }
    expect(made.takeDebts()).toEqual({ unanswered: [], unasked: [], initialize: undefined });
  });
});
