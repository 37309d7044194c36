import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type Installation, install } from "./support/installation.ts";
import { TestHome } from "./support/test-home.ts";

let installation: Installation;
let home: TestHome;
beforeAll(() => {
  installation = install();
  home = new TestHome();
});
afterAll(async () => {
  await home.close();
  installation.remove();
});

interface Progress {
  readonly progress: number;
  readonly message?: string | undefined;
}

/** What the tests below ask of a client, whichever SDK it is from. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string; annotations?: unknown }[] }>;
  callTool(
    name: string,
    input: object,
    onprogress?: (progress: Progress) => void,
  ): Promise<unknown>;
  getInstructions(): string | undefined;
  getServerVersion(): { name: string; title?: string | undefined } | undefined;
  close(): Promise<void>;
}

const server = (): { command: string; args: string[]; env: Record<string, string> } => ({
  command: process.execPath,
  args: [installation.binFile],
  env: Object.fromEntries(
    Object.entries(home.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ),
});

async function connectModern(mode: "auto" | "legacy"): Promise<AnyClient> {
  const client = new Client({ name: "modern", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(server()));
  return {
    listTools: () => client.listTools(),
    callTool: (name, input, onprogress) =>
      client.callTool(
        { name, arguments: { ...input } },
        onprogress === undefined ? {} : { onprogress },
      ),
    getInstructions: () => client.getInstructions(),
    getServerVersion: () => client.getServerVersion(),
    close: () => client.close(),
  };
}

async function connectLegacy(): Promise<AnyClient> {
  const client = new LegacyClient({ name: "legacy", version: "1" });
  await client.connect(new LegacyTransport(server()));
  return {
    listTools: () => client.listTools(),
    callTool: (name, input, onprogress) =>
      client.callTool(
        { name, arguments: { ...input } },
        undefined,
        onprogress === undefined ? {} : { onprogress },
      ),
    getInstructions: () => client.getInstructions(),
    getServerVersion: () => client.getServerVersion(),
    close: () => client.close(),
  };
}

describe.each([
  ["@modelcontextprotocol/client 2.x, era of 2026-07-28", () => connectModern("auto")],
  ["@modelcontextprotocol/client 2.x, era of 2025-11-25", () => connectModern("legacy")],
  ["@modelcontextprotocol/sdk 1.x", connectLegacy],
])("an MCP server for %s", (_name, connectClient) => {
  it("says who it is and lists its tools in their order, with all four hints", async () => {
    const client = await connectClient();
    expect(client.getServerVersion()).toMatchObject({ name: "agentos-mcp", title: "agentOS VMs" });
    expect(client.getInstructions()).toMatch(/^Lightweight VMs\. /);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).slice(0, 2)).toEqual(["test_echo", "test_count"]);
    expect(tools[0]?.annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    await client.close();
  });

  it("runs a tool and reports its progress", async () => {
    const client = await connectClient();
    const progress: Progress[] = [];
    const file = join(home.directory, `seen-${performance.now()}`);
    const result = await client.callTool("test_progress", { file }, (step) => {
      progress.push(step);
      writeFileSync(file, "");
    });
    expect(result).toMatchObject({ content: [{ type: "text", text: "done" }] });
    expect(progress).toEqual([{ progress: 1, message: "half way" }]);
    await client.close();
  });

  it("shows an operator's problem in full, and of a bug only that there is one", async () => {
    const client = await connectClient();
    expect(await client.callTool("test_throw", { host: true })).toMatchObject({
      isError: true,
      content: [
        {
          type: "text",
          text: 'There is no VM named "x". Call vm_list to see the VMs, or vm_create to make one.',
        },
      ],
    });
    expect(await client.callTool("test_throw", { host: false })).toMatchObject({
      isError: true,
      content: [
        { type: "text", text: "The server failed to run this tool. Its log says why; try again." },
      ],
    });
    expect(home.log()).toContain("secret /host/path");
    await client.close();
  });

  it("names the argument that is wrong", async () => {
    const client = await connectClient();
    const result = await client.callTool("test_echo", { text: 1 });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain("text");
    await client.close();
  });

  it("leaves no process but the server when the client closes", async () => {
    const client = await connectClient();
    await client.listTools();
    await client.close();
    await eventually("the shim has left", () => home.pids().length === 1);
    expect(home.pids()).toEqual(home.records().map(({ pid }) => pid));
  });
});
