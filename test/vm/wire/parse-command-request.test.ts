import { describe, expect, it } from "vitest";
import { parseRequest } from "../../../src/vm/wire/parse-request.ts";

const start = { run: 1, name: "gcc", pid: 2, words: 1 };
const tell = (news: unknown) => parseRequest("tellCommand", { run: 1, news });

describe("requests about host commands", () => {
  it("are taken in every shape that a cell of ours sends", () => {
    expect(parseRequest("startCommand", start)).toEqual({ method: "startCommand", params: start });
    const terminal = { columns: 80, rows: 24 };
    expect(parseRequest("startCommand", { ...start, terminal })).toBeDefined();
    expect(parseRequest("putCommandStart", { run: 1 })).toBeDefined();
    expect(parseRequest("nextCommandEvents", { run: 1 })).toBeDefined();
    expect(parseRequest("feedCommand", { run: 1 })).toBeDefined();
    expect(parseRequest("feedCommand", { run: 1, isEnd: true, errno: "EIO" })).toBeDefined();
    expect(tell({ type: "gone" })).toBeDefined();
    expect(tell({ type: "signal", signal: "SIGINT" })).toBeDefined();
    expect(tell({ type: "size", size: terminal })).toBeDefined();
    expect(tell({ type: "failed", to: "error", errno: "EPIPE" })).toBeDefined();
  });

  it.each([
    { run: -1 },
    { run: 1.5 },
    { name: "x".repeat(65) },
    { name: 7 },
    { words: -1 },
    { pid: "1" },
    { terminal: { columns: 70_000, rows: 1 } },
    { terminal: { columns: 1 } },
    { more: 1 },
  ])("are refused with %j", (wrong) => {
    expect(parseRequest("startCommand", { ...start, ...wrong })).toBeUndefined();
  });

  it.each([
    undefined,
    {},
    { type: "gone", more: 1 },
    { type: "signal", signal: "S".repeat(17) },
    { type: "failed", to: "in", errno: "EPIPE" },
    { type: "failed", to: "out", errno: "__proto__" },
    { type: "size", size: { columns: -1, rows: 1 } },
    { type: "other" },
  ])("are refused with the news %j", (news) => {
    expect(tell(news)).toBeUndefined();
  });

  it("are refused with an errno there is not", () => {
    expect(parseRequest("feedCommand", { run: 1, errno: "ENOTHING" })).toBeUndefined();
    expect(parseRequest("feedCommand", { run: 1, isEnd: 1 })).toBeUndefined();
  });
});
