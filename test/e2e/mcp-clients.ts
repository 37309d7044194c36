// MCP clients of both SDKs and both eras, which start a server as a host application does.
import { Client, type ReadResourceResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

export interface ServerCommand {
  readonly command: string;
  readonly args: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** npx warns of settings of the machine. */
  readonly stderr?: "ignore";
}

export interface ToolResult {
  readonly content: { readonly type: string; readonly text?: string; readonly data?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

export interface ToolCallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
}

/** What the tests ask of a client, whichever SDK it is from. */
export interface McpClient {
  /** The process it has started. */
  readonly pid: number;
  listTools(): Promise<{
    tools: { name: string; annotations?: unknown; outputSchema?: unknown }[];
  }>;
  call(name: string, input?: object, options?: ToolCallOptions): Promise<ToolResult>;
  readResource(uri: string): Promise<ReadResourceResult["contents"]>;
  listResources(): Promise<string[]>;
  listTemplates(): Promise<string[]>;
  close(): Promise<void>;
}

const info = { name: "test", version: "1" };
/** Long enough for what the tests do on a slow machine. */
const timeout = 120_000;

async function connect(server: ServerCommand, mode: "auto" | "legacy"): Promise<McpClient> {
  const client = new Client(info, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport(server);
  await client.connect(transport);
  return {
    pid: transport.pid ?? 0,
    listTools: () => client.listTools(),
    call: async (name, input = {}, options = {}) =>
      (await client.callTool(
        { name, arguments: { ...input } },
        { timeout, ...options },
      )) as ToolResult,
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    listTemplates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(
        ({ uriTemplate }) => uriTemplate,
      ),
    close: () => client.close(),
  };
}

async function connectFirstGeneration(server: ServerCommand): Promise<McpClient> {
  const client = new LegacyClient(info);
  const transport = new LegacyTransport(server);
  await client.connect(transport);
  return {
    pid: transport.pid ?? 0,
    listTools: () => client.listTools(),
    call: async (name, input = {}, options = {}) =>
      (await client.callTool({ name, arguments: { ...input } }, undefined, {
        timeout,
        ...options,
      })) as ToolResult,
    readResource: async (uri) =>
      (await client.readResource({ uri })).contents as ReadResourceResult["contents"],
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    listTemplates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(
        ({ uriTemplate }) => uriTemplate,
      ),
    close: () => client.close(),
  };
}

/** Every kind of client, by what it is. */
export const clientKinds: readonly (readonly [
  string,
  (server: ServerCommand) => Promise<McpClient>,
])[] = [
  ["@modelcontextprotocol/client 2.x, era of 2026-07-28", (server) => connect(server, "auto")],
  ["@modelcontextprotocol/client 2.x, era of 2025-11-25", (server) => connect(server, "legacy")],
  ["@modelcontextprotocol/sdk 1.x", connectFirstGeneration],
];

export async function connectModern(server: ServerCommand): Promise<McpClient> {
  return await connect(server, "auto");
}
