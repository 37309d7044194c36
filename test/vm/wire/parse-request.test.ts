import { describe, expect, it } from "vitest";
import { CHUNK_BYTES } from "../../../src/vm/wire/messages.ts";
import { parseRequest } from "../../../src/vm/wire/parse-request.ts";

const list = (path: unknown, more: object = {}) =>
  parseRequest("listSoftware", { folder: 0, path, from: 0, ...more });
const read = (more: object) =>
  parseRequest("readSoftware", { folder: 0, path: "f", offset: 0, length: 1, ...more });

describe("parseRequest", () => {
  it.each([
    "",
    "a",
    "a/b/c",
    "@scope/name",
    "...",
    "a b\n",
    "caf\u00e9",
    "byte-\udcff",
    "x".repeat(255),
  ])("takes the path %j", (path) => {
    expect(list(path)).toEqual({
      method: "listSoftware",
      params: { folder: 0, path, from: 0 },
    });
  });

  it.each([
    "..",
    ".",
    "../../etc/passwd",
    "a/../../b",
    "a/..",
    "./a",
    "/etc/passwd",
    "a//b",
    "a/",
    "/",
    "a\0b",
    "x".repeat(256),
    `${"x/".repeat(3000)}x`,
    7,
    null,
    undefined,
    ["a"],
    { length: 1 },
  ])("refuses the path %j", (path) => {
    expect(list(path)).toBeUndefined();
  });

  it("refuses numbers that count nothing, keys that are not asked for and methods there are not", () => {
    for (const wrong of [-1, 1.5, Number.NaN, "0", null, 2 ** 60]) {
      expect(list("a", { folder: wrong })).toBeUndefined();
      expect(list("a", { from: wrong })).toBeUndefined();
      expect(read({ offset: wrong })).toBeUndefined();
      expect(read({ length: wrong })).toBeUndefined();
    }
    expect(read({ length: 0 })).toBeUndefined();
    expect(read({ length: CHUNK_BYTES + 1 })).toBeUndefined();
    expect(read({ length: CHUNK_BYTES })).toBeDefined();
    expect(list("a", { root: "/etc" })).toBeUndefined();
    for (const params of [null, [], "x", {}, undefined]) {
      expect(parseRequest("readSoftware", params)).toBeUndefined();
    }
    for (const method of ["", "writeSoftware", "toString", "__proto__", "constructor"]) {
      expect(parseRequest(method, { folder: 0, path: "a", from: 0 })).toBeUndefined();
    }
  });

  it("takes calls of tools by number, and of their caller no more than it keeps", () => {
    const open = (more: object) =>
      parseRequest("openToolCall", { call: 1, id: 1, pid: 2, command: "c", audited: 0, ...more });
    expect(open({})).toBeDefined();
    expect(open({ command: "x".repeat(256) })).toBeDefined();
    for (const wrong of [-1, 1.5, Number.NaN, "0", null, 2 ** 60]) {
      for (const key of ["call", "id", "pid", "audited"]) {
        expect(open({ [key]: wrong })).toBeUndefined();
      }
      for (const method of ["putToolRequest", "nextToolEvents", "cancelToolCall"]) {
        expect(parseRequest(method, { call: wrong })).toBeUndefined();
      }
    }
    expect(open({ command: "x".repeat(257) })).toBeUndefined();
    expect(open({ toolkit: "x" })).toBeUndefined();
    expect(parseRequest("cancelToolCall", { call: 1, pid: 2 })).toBeUndefined();
  });
});
