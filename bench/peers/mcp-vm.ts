// A VM by way of MCP: tools, called as a client calls them.
import type { McpClient } from "../mcp-client.ts";
import type { PeerVm } from "./peer-protocol.ts";

export class McpVm implements PeerVm {
  readonly #client: McpClient;
  readonly #id: string;

  private constructor(client: McpClient, id: string) {
    this.#client = client;
    this.#id = id;
  }

  static async create(client: McpClient, id: string): Promise<McpVm> {
    await client.callTool("vm_create", { name: id });
    return new McpVm(client, id);
  }

  async exec(command: string): Promise<{ stdout: string; exitCode: number }> {
    const { result } = await this.#call("vm_exec", { command });
    const { stdout, exit_code: exitCode } = result?.structuredContent ?? {};
    return { stdout: String(stdout), exitCode: Number(exitCode) };
  }

  async read(path: string): Promise<string> {
    const { result } = await this.#call("fs_read", { path });
    return result?.content?.[0]?.text ?? "";
  }

  async write(path: string, text: string): Promise<void> {
    await this.#call("fs_write", { path, content: text });
  }

  async destroy(): Promise<void> {
    await this.#call("vm_destroy", {});
  }

  #call(tool: string, args: object): ReturnType<McpClient["callTool"]> {
    return this.#client.callTool(tool, { vm_id: this.#id, ...args });
  }
}
