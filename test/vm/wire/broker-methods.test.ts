import { describe, expect, it } from "vitest";
import { parseRequest } from "../../../src/vm/wire/broker-methods.ts";

describe("parseRequest", () => {
  it("takes a request in its shape, and no other", () => {
    const params = { mount: 0, request: { call: "statFs" } };
    expect(parseRequest("mount.call", params)).toMatchObject({ lane: "mount", stream: undefined });
    for (const wrong of [null, [], "x", {}, undefined, { ...params, root: "/etc" }]) {
      expect(parseRequest("mount.call", wrong)).toBeUndefined();
    }
  });

  it.each([
    "",
    ".",
    "mount",
    "mount.",
    "mount.write",
    "mount.call.more",
    "toString.call",
    "mount.toString",
    "__proto__.list",
    "mount.__proto__",
    "mount.constructor",
  ])("refuses the method %j, which there is not", (method) => {
    expect(parseRequest(method, { mount: 0, request: { call: "statFs" } })).toBeUndefined();
  });
});

const numbers = [-1, 1.5, Number.NaN, "0", null, 2 ** 60];

describe("requests to toolkits", () => {
  const open = (more: object) =>
    parseRequest("toolkit.open", {
      stream: 2,
      bytes: 5,
      id: 1,
      pid: 2,
      command: "c",
      audited: 0,
      ...more,
    });

  it("open a stream, and bring of their caller no more than is kept", () => {
    expect(open({})).toMatchObject({ lane: "toolkit", stream: 2 });
    expect(open({ command: "x".repeat(256) })).toBeDefined();
    expect(open({ command: "x".repeat(257) })).toBeUndefined();
    expect(open({ toolkit: "x" })).toBeUndefined();
    for (const wrong of numbers) {
      for (const key of ["stream", "bytes", "id", "pid", "audited"]) {
        expect(open({ [key]: wrong })).toBeUndefined();
      }
    }
  });

  it("are cancelled by their stream, which that does not open", () => {
    expect(parseRequest("toolkit.cancel", { stream: 2 })).toMatchObject({ stream: undefined });
    expect(parseRequest("toolkit.cancel", { stream: 2, pid: 2 })).toBeUndefined();
    for (const stream of numbers) {
      expect(parseRequest("toolkit.cancel", { stream })).toBeUndefined();
    }
  });
});

describe("requests about host commands", () => {
  const start = { stream: 2, bytes: 9, name: "gcc", pid: 2, words: 1 };
  const tell = (news: unknown) => parseRequest("command.tell", { stream: 2, news });

  it("are taken in every shape that a cell of ours sends", () => {
    expect(parseRequest("command.start", start)).toMatchObject({ lane: "command", stream: 2 });
    const terminal = { columns: 80, rows: 24 };
    expect(parseRequest("command.start", { ...start, terminal })).toBeDefined();
    expect(tell({ type: "signal", signal: "SIGINT" })).toBeDefined();
    expect(tell({ type: "size", size: terminal })).toBeDefined();
    expect(tell({ type: "failed", to: "error", errno: "EPIPE" })).toBeDefined();
  });

  it.each([
    { stream: -1 },
    { stream: 1.5 },
    { bytes: "9" },
    { name: "x".repeat(65) },
    { name: 7 },
    { words: -1 },
    { pid: "1" },
    { terminal: { columns: 70_000, rows: 1 } },
    { terminal: { columns: 1 } },
    { more: 1 },
  ])("are refused with %j", (wrong) => {
    expect(parseRequest("command.start", { ...start, ...wrong })).toBeUndefined();
  });

  it.each([
    undefined,
    {},
    { type: "signal", signal: "SIGINT", more: 1 },
    { type: "signal", signal: "S".repeat(17) },
    { type: "failed", to: "in", errno: "EPIPE" },
    { type: "failed", to: "out", errno: "__proto__" },
    { type: "size", size: { columns: -1, rows: 1 } },
    { type: "other" },
  ])("are refused with the news %j", (news) => {
    expect(tell(news)).toBeUndefined();
  });
});
