// Every tool is an MCP tool of the client's: its results go through the model.
import type { JsonValue } from "../../../src/toolkit-cli/index.ts";
import { mcpName } from "../catalogue/catalogue.ts";
import type { Turn } from "../conversation.ts";
import type { McpConnection } from "../mcp-connection.ts";
import type { DirectCall, DirectTurn } from "../tasks/task.ts";

/** Calls of the tasks' tools by MCP, written down turn by turn. */
export class DirectCalls {
  readonly #connection: McpConnection;
  readonly #turns: Turn[] = [];

  constructor(connection: McpConnection) {
    this.#connection = connection;
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  readonly turn: DirectTurn = async (calls) => {
    const uses = await Promise.all(calls.map(async (call) => await this.#use(call)));
    this.#turns.push({ uses });
    return uses.map(({ answer }) => JSON.parse(answer) as JsonValue);
  };

  async #use({ tool: key, input }: DirectCall): Promise<Turn["uses"][number]> {
    const [toolkit = "", tool = ""] = key.split(" ");
    const name = mcpName(toolkit, tool);
    const { text } = await this.#connection.call(name, input);
    return { name, input, answer: text };
  }
}
