import { describe, expect, it } from "vitest";
import type { McpServersConfig } from "../../../../src/mcp-server/config/mcp-servers-config.ts";
import { mcpToolkits } from "../../../../src/mcp-server/toolkits/mcp/mcp-toolkits.ts";

function load(servers: McpServersConfig): {
  toolkits: ReturnType<typeof mcpToolkits>;
  log: string[];
} {
  const log: string[] = [];
  const toolkits = mcpToolkits(servers, { directory: "/", env: {}, log: (line) => log.push(line) });
  return { toolkits, log };
}

describe("mcpServers as toolkits", () => {
  it("are named after their keys, whatever those look like", () => {
    const { toolkits } = load({
      "Brave Search": { command: "a", expose: "both", description: "Searches." },
      brave_search: { command: "b" },
      "@scope/x": { url: "https://example.com" },
    });
    expect(toolkits.map(({ name, expose, description }) => [name, expose, description])).toEqual([
      ["brave-search", "both", "Searches."],
      ["brave-search-2", "cli", 'Tools of the MCP server "brave_search".'],
      ["scope-x", "cli", 'Tools of the MCP server "@scope/x".'],
    ]);
  });

  it("leave out what is disabled, and note what means nothing here", () => {
    const { toolkits, log } = load({
      off: { command: "a", disabled: true },
      alsoOff: { command: "a", enabled: false },
      on: { command: "a", autoApprove: [] },
    });
    expect(toolkits.map(({ name }) => name)).toEqual(["on"]);
    expect(log).toEqual(["mcp on: autoApprove mean nothing here"]);
  });

  it("leave out this very server", () => {
    const { toolkits, log } = load({
      one: { command: "npx", args: ["-y", "agentos-mcp@latest"] },
      two: { command: "/usr/local/bin/agentos-mcp" },
      three: { command: "node", args: ["/srv/agentos-mcp/bin/agentos-mcp.mjs", "serve"] },
      four: { command: "node", args: ["/srv/agentos-mcp-notes/server.mjs"] },
    });
    expect(toolkits.map(({ name }) => name)).toEqual(["four"]);
    expect(log).toEqual(
      ["one", "two", "three"].map((key) => `mcp ${key}: left out, for it is this server itself`),
    );
  });

  it("say what is wrong with an entry when it is used", async () => {
    const { toolkits } = load({
      neither: {},
      both: { command: "a", url: "https://example.com" },
      address: { url: "ftp://example.com" },
      kind: { url: "https://example.com", type: "carrier-pigeon" },
      mixed: { command: "a", type: "sse" },
      variable: { command: "a", env: { KEY: "${NOT_SET}" } },
    });
    const said = await Promise.all(
      toolkits.map(
        async (toolkit) => await toolkit.tools().catch((error: unknown) => String(error)),
      ),
    );
    expect(said).toEqual(
      [
        'neither of the configuration: "command" (a program to start) or "url" (a server to reach) is missing.',
        'both of the configuration: "command" and "url" cannot both be given.',
        'address of the configuration: "url" is no http or https address.',
        'kind of the configuration: "type" must be "http" or "sse" with "url".',
        'mixed of the configuration: "type" is "sse", but "command" makes it "stdio".',
        "variable of the configuration: it needs the variable NOT_SET, which is not set where the server was started.",
      ].map((line) => `ToolError: mcpServers.${line}`),
    );
  });
});
