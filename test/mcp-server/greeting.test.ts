import { describe, expect, it } from "vitest";
import { noticePrefix, parseHello, parseNotice } from "../../src/mcp-server/greeting.ts";

describe("parseHello", () => {
  it("reads a hello and nothing more of it", () => {
    const hello = { role: "mcp", build: "b", pid: 1, key: "k" };
    expect(parseHello(JSON.stringify({ ...hello, more: true }))).toEqual(hello);
  });

  it.each([
    "",
    "null",
    "[]",
    "{}",
    '{"role":"root","build":"b","pid":1,"key":"k"}',
    '{"role":"mcp","build":"b","pid":1}',
  ])("takes %s for none", (line) => {
    expect(parseHello(line)).toBeUndefined();
  });
});

describe("parseNotice", () => {
  it.each([
    { "agentos-mcp": "welcome", pid: 1 },
    { "agentos-mcp": "refused", reason: "because" },
    { "agentos-mcp": "leaving", reason: "idle" },
  ])("reads %j, which starts as every notice does", (notice) => {
    const line = JSON.stringify(notice);
    expect(parseNotice(line)).toEqual(notice);
    expect(line.startsWith(noticePrefix.toString())).toBe(true);
  });

  it.each([
    "",
    "1",
    '{"agentos-mcp":"leaving","reason":"bored"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
  ])("takes %s for none", (line) => {
    expect(parseNotice(line)).toBeUndefined();
  });
});
