// Every MCP tool, in the order clients see them. The list is the same for every connection.
import type { McpTool } from "./mcp-tool.ts";

export const tools: readonly McpTool[] = [];
