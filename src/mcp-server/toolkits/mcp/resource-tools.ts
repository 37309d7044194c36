// A server's resources and prompts as tools of its toolkit, where it has any.

import type { ServerCapabilities } from "@modelcontextprotocol/client";
import {
  type Tool,
  type ToolContext,
  type ToolDefinition,
  tool,
} from "../../../toolkit-cli/index.ts";
import type { ToolSource } from "./make-tools.ts";
import type { McpConnection, ServedCall } from "./mcp-connection.ts";
import { isNamedBy } from "./name-filter.ts";
import { resourceResult } from "./tool-result.ts";
import type { UniqueNames } from "./unique-names.ts";

/** A name that one of the server's own tools has gets `mcp-` before it. */
export function makeResourceTools(
  capabilities: ServerCapabilities,
  names: UniqueNames,
  source: ToolSource,
): readonly Tool[] {
  const offered = {
    ...(capabilities.resources === undefined ? {} : resourceTools(source)),
    ...(capabilities.prompts === undefined ? {} : promptTools(source)),
  };
  return Object.entries(offered).flatMap(([name, definition]) => {
    const { include, exclude = [] } = source;
    const isWanted = include === undefined || isNamedBy(include, name);
    if (!isWanted || isNamedBy(exclude, name)) return [];
    const free = names.isTaken(name) ? `mcp-${name}` : name;
    const needsApproval = isNamedBy(source.approval, name);
    return [{ ...definition, name: names.take(free), needsApproval }];
  });
}

function resourceTools(source: ToolSource): Record<string, ToolDefinition> {
  return {
    "list-resources": readOnlyTool(source, {
      description: "List the resources of this MCP server, and the templates of their URIs.",
      input: {},
      ask: async (open, _, call) => {
        const [resources, templates] = await Promise.all([
          open.listResources(call),
          open.listResourceTemplates(call).catch(() => ({ items: [], isCut: false })),
        ]);
        return {
          resources: resources.items,
          ...(templates.items.length === 0 ? {} : { resourceTemplates: templates.items }),
          ...(resources.isCut || templates.isCut ? { isCut: true } : {}),
        };
      },
    }),
    "read-resource": readOnlyTool(source, {
      description: "Read a resource of this MCP server: its text or its bytes.",
      input: { uri: { type: "string", description: "The resource's URI, from list-resources" } },
      ask: async (open, { uri }, call) =>
        resourceResult(await open.readResource(String(uri), call)),
    }),
  };
}

function promptTools(source: ToolSource): Record<string, ToolDefinition> {
  return {
    "list-prompts": readOnlyTool(source, {
      description: "List the prompts of this MCP server and their arguments.",
      input: {},
      ask: async (open, _, call) => {
        const { items, isCut } = await open.listPrompts(call);
        return { prompts: items, ...(isCut ? { isCut } : {}) };
      },
    }),
    "get-prompt": readOnlyTool(source, {
      description: "Get a prompt of this MCP server, filled in with its arguments.",
      input: {
        name: { type: "string", description: "The prompt's name, from list-prompts" },
        arguments: {
          type: "object",
          description: "Its arguments",
          additionalProperties: { type: "string" },
          default: {},
        },
      },
      ask: async (open, { name, arguments: given }, call) => {
        const { description, messages } = await open.getPrompt(
          { name: String(name), arguments: textValues(given) },
          call,
        );
        return { ...(description === undefined ? {} : { description }), messages };
      },
    }),
  };
}

interface Question {
  readonly description: string;
  readonly input: Readonly<Record<string, { readonly type: string } & Record<string, unknown>>>;
  readonly ask: (
    open: McpConnection,
    input: Readonly<Record<string, unknown>>,
    call: ServedCall,
  ) => Promise<unknown>;
}

function readOnlyTool(source: ToolSource, { description, input, ask }: Question): ToolDefinition {
  const { connection, silentMs, totalMs } = source;
  const required = Object.keys(input).filter((name) => input[name]?.["default"] === undefined);
  return tool({
    description,
    input: { type: "object", properties: input, required, additionalProperties: false },
    timeoutMs: totalMs,
    readOnly: true,
    handler: async (given: Record<string, unknown>, context: ToolContext) =>
      await connection.use(context.signal, async (open) => {
        const call = { context, silentMs, totalMs };
        return await ask(open, given, call);
      }),
  });
}

function textValues(given: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given ?? {}).map(([key, value]) => [key, String(value)]),
  );
}
