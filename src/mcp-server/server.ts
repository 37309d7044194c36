// Makes the MCP server that one connection talks to: its identity, its instructions and its tools.
import { type CallToolResult, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import type { Vms } from "../vm/index.ts";
import type { ApprovalDesk } from "./approvals/approval-desk.ts";
import { describeClient } from "./approvals/mcp-client.ts";
import type { LimitCeilings } from "./config/limit-ceilings.ts";
import { attachDirectTools, type RunAsCall } from "./direct-tools/attach-direct-tools.ts";
import type { DirectTools } from "./direct-tools/direct-tools.ts";
import { hostErrorText } from "./host-error-text.ts";
import type { McpConnection, McpTool } from "./mcp-tool.ts";
import { startProgress } from "./progress.ts";
import { registerExecLogs } from "./resources/exec-logs.ts";
import type { Sandboxes } from "./sandboxes/sandboxes.ts";

export interface McpServerContext {
  readonly tools: readonly McpTool[];
  /** The VMs all connections share; loads them with the first use. */
  readonly vms: () => Promise<Vms>;
  /** How much of VMs clients may ask for; loads them with the first use. */
  readonly ceilings: () => Promise<LimitCeilings>;
  /** The approvals all connections share; loads them with the first use. */
  readonly approvals: () => Promise<ApprovalDesk>;
  /** The sandboxes of the VMs; undefined where they have none. */
  readonly sandboxes: () => Promise<Sandboxes | undefined>;
  /** The tools of toolkits that clients see beside ours. */
  readonly directTools: DirectTools;
  readonly connection: McpConnection;
  readonly version: string;
  /** For errors that are our bugs; the client only learns that there is one. */
  readonly logBug: (error: unknown) => void;
}

/** Some clients show this to the model as the description of all tools: keep it under 120 words. */
const instructions = [
  "Lightweight VMs. Each VM is a POSIX machine with its own files, processes, shell and common programs, isolated",
  "from the host and from other VMs. Without vm_id, tools use your project's VM; vm_create makes more in milliseconds.",
  "Run commands with vm_exec. Read and write files with fs_read and fs_write.",
  "A long command returns status running; continue with vm_exec_io.",
  "Toolkits of the host are tools.* in code_run (find them with toolkit_search)",
  "and commands in a VM's shell (agentos search <words>, agentos-<toolkit> <tool> --help).",
  "A VM has no network and no host files unless the configuration grants them.",
  "Files are lost when the VM ends: at the latest when the server stops. All clients of this user share the VMs.",
].join(" ");

/** A server for one connection; the SDK's entry connects and closes it. */
export function createMcpServer(context: McpServerContext): McpServer {
  const server = new McpServer(
    { name: "agentos-mcp", title: "agentOS VMs", version: context.version },
    {
      instructions,
      // Nobody is told that a command has made a log: its answer says so.
      capabilities: { tools: {}, resources: { listChanged: false } },
      // Direct tools come and go all together: one word about it is enough.
      debouncedNotificationMethods: ["notifications/tools/list_changed"],
      cacheHints: { "tools/list": { ttlMs: 300_000, cacheScope: "private" } },
    },
  );
  for (const tool of context.tools) registerTool(server, tool, context);
  attachDirectTools(server, context.directTools, {
    runAsCall: callsOf(server, context),
    signal: context.connection.signal,
  });
  registerExecLogs(server, context.vms);
  return server;
}

/**
 * What schemas need not say, in every client's every request: MCP's dialect is 2020-12 anyway, and an
 * argument too many is refused with a sentence.
 */
const unsaid = { $schema: undefined, additionalProperties: undefined };

function registerTool(server: McpServer, tool: McpTool, context: McpServerContext): void {
  const { name, title, description, inputSchema, outputSchema, annotations, meta } = tool;
  const config = {
    title,
    description,
    inputSchema: inputSchema.meta(unsaid),
    annotations,
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema.meta(unsaid) }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
  const runAsCall = callsOf(server, context);
  server.registerTool(name, config, async (input, { mcpReq }: ServerContext) =>
    runAsCall(mcpReq, (call) => tool.handler(input, call)),
  );
}

/** How requests of a connection become calls of MCP tools. */
function callsOf(server: McpServer, context: McpServerContext): RunAsCall {
  return async (mcpReq, run) => {
    const client = describeClient(server, mcpReq);
    const { connection } = context;
    const progress = startProgress(mcpReq, context.logBug);
    try {
      return await run({
        vms: context.vms,
        ceilings: context.ceilings,
        approvals: context.approvals,
        sandboxes: context.sandboxes,
        signal: mcpReq.signal,
        progress: progress.tell,
        connection,
        client,
        identity: async () => ({
          name: client.name,
          project: await connection.project.path(mcpReq, client.hasRoots),
        }),
        request: mcpReq,
      });
    } catch (error) {
      return presentError(error, context);
    } finally {
      progress.end();
    }
  };
}

/** The boundary of an MCP tool call: nothing of the host but an operator's problem gets out. */
function presentError(error: unknown, context: McpServerContext): CallToolResult {
  const known = hostErrorText(error);
  const isCancelled = error instanceof Error && error.name === "AbortError";
  if (known === undefined && !isCancelled) context.logBug(error);
  const text = known ?? "The server failed to run this tool. Its log says why; try again.";
  return { isError: true, content: [{ type: "text", text }] };
}
