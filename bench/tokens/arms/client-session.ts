// A conversation through agentos-mcp: what the model calls, and what the client gets for it.
import type { Turn } from "../conversation.ts";
import type { McpConnection } from "../mcp-connection.ts";

export interface SessionCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Which part of a result the client shows its model; most show the content. */
export type ShownPart = "content" | "structured";

export class ClientSession {
  readonly #connection: McpConnection;
  readonly #shows: ShownPart;
  readonly #turns: Turn[] = [];

  constructor(connection: McpConnection, shows: ShownPart) {
    this.#connection = connection;
    this.#shows = shows;
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  /** One message of the model's; resolves to the text of its results, call by call. */
  async turn(...calls: readonly SessionCall[]): Promise<readonly string[]> {
    const done = await Promise.all(
      calls.map(async ({ name, input }) => {
        const { text, structured } = await this.#connection.call(name, input);
        const hasStructure = this.#shows === "structured" && structured !== undefined;
        const answer = hasStructure ? JSON.stringify(structured) : text;
        return { use: { name, input, answer }, text };
      }),
    );
    this.#turns.push({ uses: done.map(({ use }) => use) });
    return done.map(({ text }) => text);
  }
}
