import { describe, expect, it } from "vitest";
import { mcpServersConfig } from "../../../src/mcp-server/config/mcp-servers-config.ts";

const problems = (value: unknown): unknown =>
  mcpServersConfig
    .safeParse(value)
    .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);

describe("mcpServers of the configuration", () => {
  it("takes the block that Claude Desktop and others have, as it is", () => {
    const block = {
      filesystem: {
        command: "npx",
        args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada"],
        env: { A: "1" },
        alwaysAllow: ["read_file"],
        autoApprove: [],
        timeout: 60,
        disabledTools: [],
        trust: true,
      },
      remote: { type: "http", url: "https://example.com/mcp", headers: { A: "b" }, enabled: true },
    };
    expect(mcpServersConfig.parse(block)).toEqual(block);
  });

  it("takes what is ours", () => {
    const block = {
      a: {
        command: "a",
        description: "A",
        expose: "both",
        timeoutMs: 1000,
        idleMs: 1000,
        tools: { include: ["a*"], exclude: ["ab"] },
        approval: ["*"],
        disabled: true,
      },
    };
    expect(mcpServersConfig.parse(block)).toEqual(block);
  });

  it("refuses a misspelt key that would hold something back", () => {
    expect(problems({ a: { command: "a", aproval: ["*"], Disabled: true, tool: {} } })).toEqual([
      "a.aproval: is no setting (did you mean approval?)",
      "a.Disabled: is no setting (did you mean disabled?)",
      "a.tool: is no setting (did you mean tools?)",
    ]);
  });

  it("refuses values that cannot be", () => {
    expect(problems({ a: { command: "", timeoutMs: 0 } })).toHaveLength(2);
    expect(problems({ a: { command: 1 } })).toHaveLength(1);
    expect(problems({ a: { command: "a", tools: { only: [] } } })).toHaveLength(1);
    const many = Array.from({ length: 101 }, (_, index) => [`s${index}`, { command: "a" }]);
    expect(problems(Object.fromEntries(many))).toEqual([": may have 100 servers"]);
  });
});
