// One connection to an MCP server that works, and the questions we ask on it.
import type {
  CallToolResult,
  Client,
  GetPromptResult,
  ReadResourceResult,
  RequestOptions,
  ServerCapabilities,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import type { JsonSchema, ToolContext } from "../../../toolkit-cli/index.ts";
import { collectPages, type Page } from "./collect-pages.ts";
import { type CallFacts, explainCall } from "./explain-call.ts";
import type { ServerChild } from "./server-child.ts";
import type { ServerSpec } from "./server-spec.ts";

export interface ConnectionFacts {
  readonly name: string;
  readonly spec: ServerSpec;
  readonly child?: ServerChild;
  readonly log: (line: string) => void;
}

/** What a call may take: without a word from the server, and in all. */
export interface CallTimes {
  readonly silentMs: number;
  readonly totalMs: number;
}

/** What a question needs to know of the call it is asked for. */
export interface ServedCall extends CallTimes {
  readonly context: Pick<ToolContext, "signal" | "progress">;
}

/** Every question fails with a ToolError. Whoever opened it closes it. */
export class McpConnection {
  /** Resolves when it has ended, whoever ended it. */
  readonly closed: Promise<void>;
  readonly capabilities: ServerCapabilities;
  /** What the server says of itself. */
  readonly instructions: string | undefined;
  readonly #client: Client;
  readonly #facts: ConnectionFacts;

  constructor(client: Client, facts: ConnectionFacts) {
    this.#client = client;
    this.#facts = facts;
    this.capabilities = client.getServerCapabilities() ?? {};
    this.instructions = client.getInstructions();
    this.closed = new Promise((resolve) => {
      client.onclose = () => resolve();
    });
    client.onerror = (error) => facts.log(`mcp ${facts.name}: ${error.message.slice(0, 1000)}`);
  }

  /** How it ended, once it has. */
  async describeEnd(): Promise<string> {
    return (await this.#facts.child?.gone) ?? "the connection ended";
  }

  /** The process of a local server, gone once this resolves. */
  async close(): Promise<void> {
    await this.#client.close();
    await this.#facts.child?.end();
  }

  /** Tools as the server lists them: nothing in them is believed yet. */
  async listTools(options: RequestOptions): Promise<Page<unknown>> {
    return await this.#ask(options, async () => await this.#list("tools/list", "tools", options));
  }

  async callTool(
    tool: { readonly name: string; readonly input: JsonSchema },
    input: Record<string, unknown>,
    call: ServedCall,
  ): Promise<CallToolResult> {
    // Without an output schema, which the SDK would check; the input's tells it which headers to send.
    const toolDefinition = {
      name: tool.name,
      inputSchema: { ...tool.input, type: "object" as const },
    };
    const options = { ...requestOptions(call), toolDefinition };
    const params = { name: tool.name, arguments: input };
    return await this.#ask(options, async () => await this.#client.callTool(params, options));
  }

  async listResources(call: ServedCall): Promise<Page<unknown>> {
    const options = requestOptions(call);
    return await this.#ask(
      options,
      async () => await this.#list("resources/list", "resources", options),
    );
  }

  async listResourceTemplates(call: ServedCall): Promise<Page<unknown>> {
    const options = requestOptions(call);
    const list = async (): Promise<Page<unknown>> =>
      await this.#list("resources/templates/list", "resourceTemplates", options);
    return await this.#ask(options, list);
  }

  async readResource(uri: string, call: ServedCall): Promise<ReadResourceResult> {
    const options = { ...requestOptions(call), cacheMode: "bypass" as const };
    return await this.#ask(options, async () => await this.#client.readResource({ uri }, options));
  }

  async listPrompts(call: ServedCall): Promise<Page<unknown>> {
    const options = requestOptions(call);
    return await this.#ask(
      options,
      async () => await this.#list("prompts/list", "prompts", options),
    );
  }

  async getPrompt(
    params: { readonly name: string; readonly arguments?: Record<string, string> },
    call: ServedCall,
  ): Promise<GetPromptResult> {
    const options = requestOptions(call);
    return await this.#ask(options, async () => await this.#client.getPrompt(params, options));
  }

  async #list(method: string, key: string, options: RequestOptions): Promise<Page<unknown>> {
    const endMs = performance.now() + longestListMs;
    return await collectPages(async (cursor) => {
      const timeout = Math.max(1, Math.min(options.timeout ?? Infinity, endMs - performance.now()));
      const request = { method, params: cursor === undefined ? {} : { cursor } };
      const page = await this.#client.request(request, listPage, { ...options, timeout });
      const items: unknown = page[key];
      return { items: Array.isArray(items) ? items : [], nextCursor: page.nextCursor };
    });
  }

  async #ask<T>(options: RequestOptions, question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      const facts: CallFacts = { ...this.#facts, ...options };
      throw await explainCall(error, facts);
    }
  }
}

/** What all pages of a list may take. */
const longestListMs = 120_000;

/** Only the frame: one bad tool must not hide the others. */
const listPage = z.looseObject({ nextCursor: z.string().optional() });

function requestOptions(call: ServedCall): RequestOptions {
  return {
    signal: call.context.signal,
    timeout: call.silentMs,
    maxTotalTimeout: call.totalMs,
    resetTimeoutOnProgress: true,
    onprogress: ({ progress, total, message }) =>
      call.context.progress(message ?? "", progress, total),
  };
}
