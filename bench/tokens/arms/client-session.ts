// A conversation through agentos-mcp: what the model calls, and what the client gets for it.
import type { Turn } from "../conversation.ts";
import type { McpConnection } from "../mcp-connection.ts";

export interface SessionCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export class ClientSession {
  readonly #connection: McpConnection;
  readonly #turns: Turn[] = [];

  constructor(connection: McpConnection) {
    this.#connection = connection;
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  /** One message of the model's; resolves to what it is shown, call by call. */
  async turn(...calls: readonly SessionCall[]): Promise<readonly string[]> {
    const uses = await Promise.all(
      calls.map(async ({ name, input }) => {
        const { text } = await this.#connection.call(name, input);
        return { name, input, answer: text };
      }),
    );
    this.#turns.push({ uses });
    return uses.map(({ answer }) => answer);
  }
}
