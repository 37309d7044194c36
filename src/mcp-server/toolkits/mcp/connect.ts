// Opens a connection to an MCP server of any era. Loaded when a server is first used.
import {
  Client,
  type ClientOptions,
  ProtocolError,
  SdkHttpError,
  type Transport,
} from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { readBuild } from "../../build-id.ts";
import type { McpServerConfig } from "../../config/mcp-servers-config.ts";
import type { ChildGroups } from "./child-groups.ts";
import { explainStart } from "./explain-start.ts";
import { httpTransport } from "./http-transport.ts";
import { McpConnection } from "./mcp-connection.ts";
import { ServerChild } from "./server-child.ts";
import { type HttpSpec, type ServerSpec, type StdioSpec, serverSpec } from "./server-spec.ts";
import { StdioTransport } from "./stdio-transport.ts";

export interface ConnectOptions {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly groups: ChildGroups;
  /** How long a server may take until it answers; a package runner downloads first. */
  readonly startMs: number;
  readonly log: (line: string) => void;
  readonly onToolsChanged: () => void;
  readonly signal: AbortSignal;
}

/** A connection that works. Fails with a ToolError "unavailable" that says what to do. */
export async function connect(options: ConnectOptions): Promise<McpConnection> {
  const { name, config, directory, env } = options;
  const spec = serverSpec(name, config, { directory, env, baseEnv: getDefaultEnvironment() });
  return spec.kind === "stdio"
    ? await connectStdio(spec, options)
    : await connectHttp(spec, options);
}

/**
 * `initialize` first: every server before 2026-07-28 knows it, also those that leave at any other first
 * request. One that refuses it is asked again, in a new process, as 2026-07-28 has it.
 */
async function connectStdio(spec: StdioSpec, options: ConnectOptions): Promise<McpConnection> {
  try {
    return await tryStdio(spec, options, "legacy");
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return await tryStdio(spec, options, { pin: "2026-07-28" });
  }
}

async function tryStdio(
  spec: StdioSpec,
  options: ConnectOptions,
  mode: NegotiationMode,
): Promise<McpConnection> {
  const child = new ServerChild(spec, options.groups);
  const transport = new StdioTransport(child);
  try {
    return await open({ spec, transport, mode, options, child });
  } catch (error) {
    await child.end();
    if (mode === "legacy" && error instanceof ProtocolError) throw error;
    throw await explainStart(error, { ...options, spec, child });
  }
}

async function connectHttp(spec: HttpSpec, options: ConnectOptions): Promise<McpConnection> {
  try {
    return await tryHttp(spec, spec.transport === "sse" ? "sse" : "http", options);
  } catch (error) {
    const isOld = spec.transport === "auto" && isOldServerAnswer(error);
    const connection = isOld ? await findSse(spec, options) : undefined;
    if (connection !== undefined) return connection;
    throw await explainStart(error, { ...options, spec });
  }
}

/** Undefined where the server does not speak that either. */
async function findSse(
  spec: HttpSpec,
  options: ConnectOptions,
): Promise<McpConnection | undefined> {
  try {
    return await tryHttp(spec, "sse", options);
  } catch (error) {
    options.log(`mcp ${options.name}: no server-sent events either: ${String(error)}`);
    return undefined;
  }
}

async function tryHttp(
  spec: HttpSpec,
  kind: "http" | "sse",
  options: ConnectOptions,
): Promise<McpConnection> {
  const transport = httpTransport(spec, kind);
  const mode = kind === "http" ? "auto" : "legacy";
  return await open({ spec, transport, mode, options });
}

type NegotiationMode = NonNullable<NonNullable<ClientOptions["versionNegotiation"]>["mode"]>;

interface Opening {
  readonly spec: ServerSpec;
  readonly transport: Transport;
  readonly mode: NegotiationMode;
  readonly options: ConnectOptions;
  readonly child?: ServerChild;
}

async function open({ spec, transport, mode, options, child }: Opening): Promise<McpConnection> {
  const { startMs, onToolsChanged, signal } = options;
  const client = new Client(
    { name: "agentos-mcp", version: readBuild().version },
    {
      // Sampling and elicitation are not offered: a server that wants them is told so by the protocol.
      capabilities: { roots: {} },
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, debounceMs: 200, onChanged: onToolsChanged } },
    },
  );
  client.setRequestHandler("roots/list", () => ({ roots: [] }));
  try {
    await client.connect(transport, { timeout: startMs, signal });
  } catch (error) {
    await client.close();
    throw error;
  }
  return new McpConnection(client, { ...options, spec, ...(child === undefined ? {} : { child }) });
}

/** What servers from before Streamable HTTP answer to a POST. */
function isOldServerAnswer(error: unknown): boolean {
  return error instanceof SdkHttpError && [400, 404, 405].includes(error.status);
}
