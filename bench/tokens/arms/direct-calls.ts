// Every tool is an MCP tool of the client's: its definition is in front of the model, its results go
// through it.
import {
  callTool,
  type JsonValue,
  type Tool,
  type Toolkit,
} from "../../../src/toolkit-cli/index.ts";
import { mcpName } from "../catalogue/catalogue.ts";
import type { Turn } from "../conversation.ts";
import type { DirectCall, DirectTurn } from "../tasks/task.ts";

type ToolsByKey = ReadonlyMap<string, { readonly name: string; readonly tool: Tool }>;

/** The task toolkits as an MCP server presents them: data as compact JSON text. */
export class DirectCalls {
  readonly #tools: ToolsByKey;
  readonly #turns: Turn[] = [];

  private constructor(tools: ToolsByKey) {
    this.#tools = tools;
  }

  static async of(toolkits: readonly Toolkit[]): Promise<DirectCalls> {
    const named = await Promise.all(
      toolkits.map(async (toolkit) =>
        (await toolkit.tools()).map((tool) => {
          const name = mcpName(toolkit.name, tool.name);
          return [`${toolkit.name} ${tool.name}`, { name, tool }] as const;
        }),
      ),
    );
    return new DirectCalls(new Map(named.flat()));
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  readonly turn: DirectTurn = async (calls) => {
    const results = await Promise.all(calls.map((call) => this.#call(call)));
    const uses = calls.map(({ tool, input }, at) => ({
      name: this.#find(tool).name,
      input,
      answer: JSON.stringify(results[at]),
    }));
    this.#turns.push({ uses });
    return results;
  };

  async #call({ tool, input }: DirectCall): Promise<JsonValue> {
    const found = this.#find(tool);
    const caller = { vm: "", pid: 0, command: "" };
    for await (const event of callTool(found.tool, input, caller)) {
      if (event.type === "error") throw new Error(`${tool}: ${event.message}`);
      if (event.type === "result" && event.value?.kind === "json") return event.value.json;
    }
    throw new Error(`${tool} gave no data.`);
  }

  #find(key: string): { readonly name: string; readonly tool: Tool } {
    const found = this.#tools.get(key);
    if (found === undefined) throw new Error(`There is no tool ${key}.`);
    return found;
  }
}
