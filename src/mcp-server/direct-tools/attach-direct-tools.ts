import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  RegisteredTool,
  ServerContext,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import type { JsonSchema, JsonValue } from "../../toolkit-cli/index.ts";
import type { McpCall } from "../mcp-tool.ts";
import { type DirectTool, directAnnotations, promisesOutput } from "./direct-tool.ts";
import type { DirectTools } from "./direct-tools.ts";
import { DirectCalls } from "./run-direct-tool.ts";

export type RunAsCall = (
  request: ServerContext["mcpReq"],
  run: (call: McpCall) => Promise<CallToolResult | InputRequiredResult>,
) => Promise<CallToolResult | InputRequiredResult>;

/** Gives a connection's server the direct tools, now and whenever they change, until the signal. */
export function attachDirectTools(
  server: McpServer,
  direct: DirectTools,
  { runAsCall, signal }: { readonly runAsCall: RunAsCall; readonly signal: AbortSignal },
): void {
  const calls = new DirectCalls();
  let shown: readonly DirectTool[] = [];
  let registered: RegisteredTool[] = [];
  const register = (tool: DirectTool): RegisteredTool => {
    const run = async (input: JsonValue, { mcpReq }: ServerContext) =>
      await runAsCall(mcpReq, async (call) => {
        const { host } = direct;
        if (host === undefined) throw new Error("A direct tool is listed without its host.");
        return await calls.run(tool, input, { host, call });
      });
    return server.registerTool(tool.name, configOf(tool), run);
  };
  const show = (): void => {
    if (shown === direct.list) return;
    shown = direct.list;
    for (const tool of registered) tool.remove();
    registered = shown.map(register);
  };
  show();
  const unlisten = direct.onChange(show);
  signal.addEventListener("abort", () => {
    unlisten();
    calls.close();
  });
}

function configOf(direct: DirectTool) {
  const { description, input, output } = direct.tool;
  return {
    description,
    inputSchema: asItIs(input),
    annotations: directAnnotations(direct.tool),
    ...(output !== undefined && promisesOutput(direct) ? { outputSchema: asItIs(output) } : {}),
  };
}

/** A schema that is shown and not checked: the call itself checks, within limits. */
function asItIs(schema: JsonSchema): StandardSchemaWithJSON<JsonValue, JsonValue> {
  const show = (): Record<string, unknown> => ({ ...schema });
  return {
    "~standard": {
      version: 1,
      vendor: "agentos-mcp",
      validate: (value) =>
        isJsonObject(value) ? { value } : { issues: [{ message: "no object" }] },
      jsonSchema: { input: show, output: show },
    },
  };
}

/** What a client sends has been JSON. */
function isJsonObject(value: unknown): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
