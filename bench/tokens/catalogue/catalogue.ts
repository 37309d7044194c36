// All that a client could call: what a direct client puts in front of its model.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  describeToolkit,
  type JsonSchema,
  type ToolkitDescription,
} from "../../../src/toolkit-cli/index.ts";
import { definitionText } from "../conversation.ts";
import { McpConnection } from "../mcp-connection.ts";
import { benchToolkits } from "../toolkits/bench-toolkits.ts";
import type { PublishedServer } from "./published-servers.ts";

export interface Catalogue {
  readonly toolkits: readonly ToolkitDescription[];
  /** Servers' instructions, which clients put beside their tools. */
  readonly instructions: readonly string[];
}

/** The bench's toolkits and what the servers list when they are asked. */
export async function readCatalogue(servers: readonly PublishedServer[]): Promise<Catalogue> {
  const own = await Promise.all(
    benchToolkits(() => undefined).map(async (toolkit) => await describeToolkit(toolkit)),
  );
  const folder = mkdtempSync(join(tmpdir(), "agentos-token-bench-shared-"));
  const instructions: string[] = [];
  try {
    for (const server of servers) {
      const listed = await listTools(server, folder);
      own.push(listed.toolkit);
      if (listed.instructions !== undefined) instructions.push(listed.instructions);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { toolkits: own, instructions };
}

/** A tool's definition as the direct client has it. */
export function definitionOf({ toolkits }: Catalogue, toolkit: string, tool: string): string {
  const found = toolkits
    .find(({ name }) => name === toolkit)
    ?.tools.find(({ name }) => name === tool);
  if (found === undefined) throw new Error(`The catalogue has no ${toolkit} ${tool}.`);
  const { description, input } = found;
  return definitionText({ name: mcpName(toolkit, tool), description, inputSchema: input });
}

export function allDefinitions(catalogue: Catalogue): readonly string[] {
  const tools = catalogue.toolkits.flatMap((toolkit) =>
    toolkit.tools.map((tool) => definitionOf(catalogue, toolkit.name, tool.name)),
  );
  return [...tools, ...catalogue.instructions];
}

/** As the server names direct tools, and clients those of several servers. */
export function mcpName(toolkit: string, tool: string): string {
  return `${toolkit}_${tool}`;
}

async function listTools(
  { name, description, command }: PublishedServer,
  folder: string,
): Promise<{ toolkit: ToolkitDescription; instructions: string | undefined }> {
  const connection = await McpConnection.open(command(folder));
  try {
    const tools = (await connection.tools()).map((tool) => ({
      name: tool.name,
      description: tool.description ?? "",
      input: tool.inputSchema as JsonSchema,
      examples: [],
      isReadOnly: false,
      needsApproval: false,
    }));
    return { toolkit: { name, description, tools }, instructions: connection.instructions() };
  } finally {
    await connection.close();
  }
}
