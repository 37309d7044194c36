import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/find-command.mjs";
import "../support/dist.ts";
import { TestHome } from "./support/test-home.ts";

interface Configuration {
  readonly mcpServers: { readonly agentos: { readonly command: string; readonly args: string[] } };
}

let home: TestHome;
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.close());

/** Exactly what the file says, in this checkout, without the network. */
function server(): { command: string; args: string[]; cwd: string; env: Record<string, string> } {
  const file = join(projectRoot, "examples/claude-desktop-config.json");
  const { mcpServers } = JSON.parse(readFileSync(file, "utf8")) as Configuration;
  const env = {
    PATH: process.env["PATH"] ?? "",
    AGENTOS_MCP_HOME: home.directory,
    npm_config_offline: "true",
  };
  return { ...mcpServers.agentos, cwd: projectRoot, env };
}

const echo = { name: "vm_exec", arguments: { vm_id: "first", command: "echo hello | cat" } };
const answer = { structuredContent: { status: "exited", exit_code: 0, stdout: "hello\n" } };

describe("examples/claude-desktop-config.json", () => {
  it("starts the server, which runs a command, for @modelcontextprotocol/client 2.x", async () => {
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: "auto" } },
    );
    await client.connect(new StdioClientTransport(server()));
    expect(client.getServerVersion()?.name).toBe("agentos-mcp");
    await client.callTool({ name: "vm_create", arguments: { name: "first" } });
    expect(await client.callTool(echo)).toMatchObject(answer);
    await client.close();
  });

  it("starts the server, which runs a command, for @modelcontextprotocol/sdk 1.x", async () => {
    const client = new LegacyClient({ name: "test", version: "1" });
    await client.connect(new LegacyTransport(server()));
    expect(client.getServerVersion()?.name).toBe("agentos-mcp");
    await client.callTool({ name: "vm_create", arguments: { name: "first" } });
    expect(await client.callTool(echo)).toMatchObject(answer);
    await client.close();
  });
});
