import { describe, expect, it } from "vitest";
import { findUnused, isNamedBy } from "../../../../src/mcp-server/toolkits/mcp/name-filter.ts";

describe("isNamedBy", () => {
  it("takes the server's name and the command's", () => {
    expect(isNamedBy(["create_issue"], "create_issue")).toBe(true);
    expect(isNamedBy(["create-issue"], "create_issue")).toBe(true);
    expect(isNamedBy(["createIssue"], "create_issue")).toBe(true);
    expect(isNamedBy(["create"], "create_issue")).toBe(false);
    expect(isNamedBy([], "create_issue")).toBe(false);
  });

  it("takes * for anything", () => {
    expect(isNamedBy(["*"], "x")).toBe(true);
    expect(isNamedBy(["create_*"], "create_issue")).toBe(true);
    expect(isNamedBy(["create-*"], "create_issue")).toBe(true);
    expect(isNamedBy(["*issue"], "create_issue")).toBe(true);
    expect(isNamedBy(["c*te*sue"], "create_issue")).toBe(true);
    expect(isNamedBy(["ab*ba"], "aba")).toBe(false);
    expect(isNamedBy(["*x*"], "create_issue")).toBe(false);
  });

  it("is quick with patterns made to be slow", () => {
    expect(isNamedBy([`${"*a".repeat(200)}*b`], "a".repeat(500))).toBe(false);
  });
});

describe("findUnused", () => {
  it("finds the patterns that name nothing", () => {
    expect(findUnused(["a*", "b", "c"], ["abc", "c"])).toEqual(["b"]);
  });
});
