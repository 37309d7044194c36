import { describe, expect, it } from "vitest";
import { parseFromCell, parseStatus } from "../../../src/vm/wire/from-cell.ts";

describe("parseFromCell", () => {
  it.each([
    { type: "ready" },
    { type: "result", id: 1, value: { any: "thing" } },
    { type: "failure", id: 1, errno: "ENOENT", subject: "/x" },
    { type: "data", stream: 1, tag: 2 },
    { type: "credit", stream: 1, bytes: 10 },
    { type: "end", stream: 1 },
    { type: "end", stream: 1, value: { any: "thing" } },
    { type: "stop", stream: 1 },
    { type: "request", id: 1, method: "any", params: { any: "thing" } },
  ])("takes $type", (message) => {
    expect(parseFromCell(message)).toEqual(message);
  });

  it.each([
    undefined,
    null,
    "ready",
    {},
    { type: "nonsense" },
    { type: "result", id: -1, value: {} },
    { type: "result", id: 1.5, value: {} },
    { type: "failure", id: 1, errno: "EWHATEVER" },
    { type: "failure", id: 1, errno: "ENOENT", subject: "x".repeat(70_000) },
    { type: "data", stream: 1 },
    { type: "data", stream: -1, tag: 1 },
    { type: "data", stream: 1, tag: "stdout" },
    { type: "credit", stream: 1, bytes: -5 },
    { type: "credit", stream: 1, bytes: Number.NaN },
    { type: "stop" },
    { type: "request", id: 1, method: 7, params: {} },
    { type: "request", id: -1, method: "any", params: {} },
    {
      type: "ask",
      ask: 1,
      request: { pid: 1, command: "x", scope: "everything", operation: "x", subject: "x" },
    },
  ])("refuses what is no message (%#)", (message) => {
    expect(parseFromCell(message)).toBeUndefined();
  });

  it("refuses more events than one message may hold", () => {
    const event = { type: "create", path: "/", isDirectory: false };
    const events = Array.from({ length: 5000 }, () => event);
    expect(parseFromCell({ type: "watchEvents", watch: 1, events })).toBeUndefined();
  });
});

describe("parseStatus", () => {
  const parse = (text: string): unknown => parseStatus(new TextEncoder().encode(text));

  it("takes how a process can end", () => {
    expect(parse('{"kind":"exited","code":3}')).toEqual({ kind: "exited", code: 3 });
    expect(parse('{"kind":"signaled","signal":9}')).toEqual({ kind: "signaled", signal: 9 });
  });

  it.each(["", "nonsense", "{}", '{"kind":"exited","code":256}', '{"kind":"stopped","signal":1}'])(
    "refuses what is not a status (%s)",
    (text) => {
      expect(parse(text)).toBeUndefined();
    },
  );
});
