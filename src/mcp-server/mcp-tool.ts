// What an MCP tool is. Each lives in a file of tools/ and is a row of tool-list.ts.
import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Vms } from "../vm/index.ts";
import type { ApprovalDesk } from "./approvals/approval-desk.ts";
import type { McpClient } from "./approvals/mcp-client.ts";
import type { ClientIdentity } from "./clients/client-identity.ts";
import type { ClientProject } from "./clients/client-project.ts";
import type { OwnVms } from "./clients/own-vms.ts";
import type { VmNotices } from "./clients/vm-notices.ts";
import type { WorkingDirectories } from "./clients/working-directories.ts";
import type { LimitCeilings } from "./config/limit-ceilings.ts";
import type { OutputCursors } from "./presentation/output-cursors.ts";
import type { Sandboxes } from "./sandboxes/sandboxes.ts";

/** The client at the other end, for as long as it stays connected. */
export interface McpConnection {
  /** Unique among the connections of this server. */
  readonly id: number;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  readonly outputCursors: OutputCursors;
  readonly project: ClientProject;
  readonly notices: VmNotices;
  readonly directories: WorkingDirectories;
  /** Shared by all connections. */
  readonly ownVms: OwnVms;
}

/** One call of an MCP tool. */
export interface McpCall {
  /** The VMs all connections share; loaded with the first use. */
  readonly vms: () => Promise<Vms>;
  /** How much of VMs clients may ask for; loaded with the first use. */
  readonly ceilings: () => Promise<LimitCeilings>;
  /** The approvals that all connections share; loaded with the first use. */
  readonly approvals: () => Promise<ApprovalDesk>;
  /** The sandboxes of the VMs; undefined where they have none. */
  readonly sandboxes: () => Promise<Sandboxes | undefined>;
  /** Aborted when the client cancels the request or leaves. */
  readonly signal: AbortSignal;
  /** Tells the client what is going on, if it asked to know; at most five times a second. */
  readonly progress: (message: string) => void;
  readonly connection: McpConnection;
  readonly client: McpClient;
  /** Who the client is beyond this connection. */
  readonly identity: () => Promise<ClientIdentity>;
  /** The request as the SDK has it: what the client sent with it, and ways to ask the client. */
  readonly request: ServerContext["mcpReq"];
}

/**
 * An MCP tool. Its handler returns what the client sees; what it throws becomes an error result: a
 * HostError with its message, anything else as a bug that only the log describes.
 */
export interface McpTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Input;
  readonly outputSchema?: z.ZodType;
  /** All four hints: their defaults are pessimistic. */
  readonly annotations: Required<Omit<ToolAnnotations, "title">>;
  readonly meta?: Readonly<Record<string, unknown>>;
  handler(input: z.output<Input>, call: McpCall): Promise<CallToolResult | InputRequiredResult>;
}

/** Checks a tool against its own schema and gives it the type all tools share. */
export function defineTool<Input extends z.ZodObject>(tool: McpTool<Input>): McpTool {
  return tool;
}
