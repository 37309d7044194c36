// Calls MCP tools as a connection does, on real VMs in this process.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { ApprovalDesk } from "../../../src/mcp-server/approvals/approval-desk.ts";
import { ownVmName } from "../../../src/mcp-server/clients/client-identity.ts";
import { ClientProject } from "../../../src/mcp-server/clients/client-project.ts";
import { OwnVms } from "../../../src/mcp-server/clients/own-vms.ts";
import { VmNotices } from "../../../src/mcp-server/clients/vm-notices.ts";
import {
  LastDirectories,
  WorkingDirectories,
} from "../../../src/mcp-server/clients/working-directories.ts";
import { LimitCeilings } from "../../../src/mcp-server/config/limit-ceilings.ts";
import { hostErrorText } from "../../../src/mcp-server/host-error-text.ts";
import type { McpCall } from "../../../src/mcp-server/mcp-tool.ts";
import { OutputCursors } from "../../../src/mcp-server/presentation/output-cursors.ts";
import type { Sandboxes } from "../../../src/mcp-server/sandboxes/sandboxes.ts";
import { tools } from "../../../src/mcp-server/tool-list.ts";
import { sandboxOpen } from "../../../src/mcp-server/tools/sandbox-open.ts";
import { Approvals, Vms } from "../../../src/vm/index.ts";

/** Where the clients under test work. */
const project = "/work/shop";
/** The VM of a client that names none. */
export const ownVm = ownVmName({ name: "test", project });

export interface CallOptions {
  /** Calls of one connection share what they have been shown. */
  readonly connection?: McpCall["connection"];
  readonly signal?: AbortSignal;
  readonly progress?: (message: string) => void;
  readonly client?: McpCall["client"];
  readonly request?: Partial<McpCall["request"]>;
}

/** VMs and the tools over them. Close it. */
export class ToolBox {
  readonly vms: Vms;
  readonly desk: ApprovalDesk;
  sandboxes: Sandboxes | undefined;
  readonly #connection = makeConnection(1);

  constructor(vms = new Vms({ poolSize: 1 }), approvals = new Approvals()) {
    this.vms = vms;
    this.desk = new ApprovalDesk(approvals);
  }

  /** The result of a call; what it throws is shown as a connection shows it. */
  async call(name: string, input: object, options: CallOptions = {}): Promise<CallToolResult> {
    const tool = [...tools, sandboxOpen].find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    const client = options.client ?? { name: "test", forms: "none", hasRoots: false };
    const call = {
      vms: async () => this.vms,
      ceilings: async () =>
        new LimitCeilings({}, { path: "config.json", env: {}, maxMemoryMb: this.vms.maxMemoryMb }),
      approvals: async () => this.desk,
      sandboxes: async () => this.sandboxes,
      client,
      identity: async () => ({ name: client.name, project }),
      request: { requestState: () => undefined, ...options.request },
      signal: options.signal ?? new AbortController().signal,
      progress: options.progress ?? (() => undefined),
      connection: options.connection ?? this.#connection,
    };
    try {
      // The tools under test use nothing else of the request.
      const result = await tool.handler(tool.inputSchema.parse(input), call as unknown as McpCall);
      if (!("content" in result)) throw new Error(`${name} asks for input.`);
      if (result.structuredContent !== undefined)
        tool.outputSchema?.parse(result.structuredContent);
      return result as CallToolResult;
    } catch (error) {
      const text = hostErrorText(error);
      if (text === undefined) throw error;
      return { isError: true, content: [{ type: "text", text }] };
    }
  }

  /** What a client that understands structure sees. */
  async structured(name: string, input: object, options?: CallOptions): Promise<unknown> {
    const result = await this.call(name, input, options);
    if (result.isError === true) throw new Error(textsOf(result).join("\n"));
    return result.structuredContent;
  }

  /** What a client that shows text sees; of an error, too. */
  async texts(name: string, input: object, options?: CallOptions): Promise<string[]> {
    return textsOf(await this.call(name, input, options));
  }

  async close(): Promise<void> {
    await this.vms.close();
  }
}

const ownVms = new OwnVms({
  idleMs: 600_000,
  noteUnused: () => undefined,
  onError: (error) => {
    throw error;
  },
});

/** A client that stays. */
export function makeConnection(id: number, last = new LastDirectories()): McpCall["connection"] {
  return {
    id,
    signal: new AbortController().signal,
    outputCursors: new OutputCursors(),
    project: new ClientProject(project),
    notices: new VmNotices(),
    directories: new WorkingDirectories(last),
    ownVms,
  };
}

export function textsOf({ content }: CallToolResult): string[] {
  return content.map((part) => (part.type === "text" ? part.text : part.type));
}
