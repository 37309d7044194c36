import { describe, expect, it } from "vitest";
import { parseFromCell } from "../../../src/vm/wire/from-cell.ts";

describe("parseFromCell", () => {
  it.each([
    { type: "ready" },
    { type: "result", id: 1, value: { any: "thing" } },
    { type: "failure", id: 1, errno: "ENOENT", subject: "/x" },
    { type: "output", exec: 1, stream: "stderr" },
    { type: "exit", exec: 1, status: { kind: "exited", code: 3 } },
    { type: "exit", exec: 1, status: { kind: "signaled", signal: 9 } },
    { type: "credit", exec: 1, bytes: 10 },
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
    { type: "output", exec: 1, stream: "stdin" },
    { type: "exit", exec: 1, status: { kind: "exited", code: 256 } },
    { type: "exit", exec: 1, status: { kind: "exited", code: Number.NaN } },
    { type: "credit", exec: 1, bytes: -5 },
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
