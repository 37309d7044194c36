// An MCP client as hosts have one: starts a server, lists its tools, calls them.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Definition, definitionText } from "./conversation.ts";

const ANSWER_LIMIT_MS = 120_000;

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What a model is shown of a result: by most clients its content, by some its structured content. */
export interface ShownResult {
  readonly text: string;
  readonly structured: unknown;
}

/** One server and the connection to it. Its owner closes it. */
export class McpConnection {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open({ command, args, env = {} }: ServerCommand): Promise<McpConnection> {
    const client = new Client({ name: "token-bench", version: "1" });
    const inherited = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      env: { ...inherited, ...env },
      stderr: "ignore",
    });
    await client.connect(transport, { timeout: ANSWER_LIMIT_MS });
    return new McpConnection(client);
  }

  /** What a client puts in front of its model: every tool, and what the server says of itself. */
  async definitions(): Promise<readonly string[]> {
    const tools = await this.tools();
    const instructions = this.instructions();
    return [...tools.map(definitionText), ...(instructions === undefined ? [] : [instructions])];
  }

  instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  async tools(): Promise<readonly Definition[]> {
    return (await this.#client.listTools()).tools;
  }

  /** Throws when the tool says that it failed. */
  async call(name: string, input: Readonly<Record<string, unknown>>): Promise<ShownResult> {
    const answer = await this.#client.callTool(
      { name, arguments: { ...input } },
      { timeout: ANSWER_LIMIT_MS },
    );
    const { content, structuredContent: structured, isError } = answer;
    const text = content
      .map((part) => (part.type === "text" ? part.text : JSON.stringify(part)))
      .join("\n");
    if (isError === true) throw new Error(`${name} failed: ${text}`);
    return { text, structured };
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
