import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findConfigFile, readIdleMs } from "../../../src/mcp-server/config/config-file.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "agentos-mcp-config-"));
});
afterEach(() => rmSync(home, { recursive: true }));

describe("findConfigFile", () => {
  it("is config.json in the home unless somebody names another", () => {
    expect(findConfigFile("/h", {})).toEqual({
      path: join("/h", "config.json"),
      isRequired: false,
    });
    const env = { AGENTOS_MCP_CONFIG: "/c/x.json" };
    expect(findConfigFile("/h", env)).toEqual({ path: "/c/x.json", isRequired: true });
    expect(findConfigFile("/h", { AGENTOS_MCP_CONFIG: "" }).isRequired).toBe(false);
  });
});

describe("readIdleMs", () => {
  it.each([
    ['{"idleMs": 5000}', 5000],
    ['{"idleMs": 99999999999}', 2 ** 31 - 1],
    ['{"idleMs": -1}', undefined],
    ['{"idleMs": "soon"}', undefined],
    ["{}", undefined],
    ["null", undefined],
    ["{", undefined],
  ])("reads %s as %s", (text, idleMs) => {
    writeFileSync(join(home, "config.json"), text);
    expect(readIdleMs(findConfigFile(home, {}))).toBe(idleMs);
  });

  it("is nothing without a file", () => {
    expect(readIdleMs(findConfigFile(home, {}))).toBeUndefined();
  });
});
