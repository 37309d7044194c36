// Direct tools that come late, change, are too many, or cannot be reached.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DirectTools } from "../../../src/mcp-server/direct-tools/direct-tools.ts";
import { mayHaveDirectTools } from "../../../src/mcp-server/direct-tools/may-have-direct-tools.ts";
import {
  type Tool,
  ToolError,
  type Toolkit,
  tool,
  toolkit,
} from "../../../src/toolkit-cli/index.ts";
import { HostToolkits } from "../../../src/vm/index.ts";
import { InstalledServer } from "../../e2e/installed-server.ts";
import { eventually } from "../../support/eventually.ts";

const nothing = tool({ description: "Does nothing.", handler: () => null });

/** A toolkit whose tools are given from outside. */
class GivenToolkit implements Toolkit {
  readonly name: string;
  readonly description = "For tests.";
  readonly expose = "direct";
  readonly #listeners = new Set<() => void>();
  #tools: () => Promise<readonly Tool[]>;
  asked = 0;

  constructor(name: string, tools: () => Promise<readonly Tool[]>) {
    this.name = name;
    this.#tools = tools;
  }

  async tools(): Promise<readonly Tool[]> {
    this.asked += 1;
    return await this.#tools();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Without a word about it. */
  recover(tools: () => Promise<readonly Tool[]>): void {
    this.#tools = tools;
  }

  change(tools: () => Promise<readonly Tool[]>): void {
    this.recover(tools);
    for (const listener of this.#listeners) listener();
  }
}

const named = (...names: string[]): Promise<readonly Tool[]> =>
  toolkit("x", {
    description: "x",
    tools: Object.fromEntries(names.map((name) => [name, nothing])),
  }).tools();

function direct(toolkits: readonly Toolkit[]): { tools: DirectTools; lines: string[] } {
  const lines: string[] = [];
  const log = (line: string): void => {
    lines.push(line);
  };
  const tools = new DirectTools({
    mayHave: true,
    load: async () => new HostToolkits({ toolkits, log }),
    taken: async () => new Set(["fs_read"]),
    log,
    readyLimitMs: 200,
    lookAgainMs: 1,
  });
  return { tools, lines };
}

const namesOf = (tools: DirectTools): string[] => tools.list.map(({ name }) => name);

describe("the list of direct tools", () => {
  it("does not wait for a toolkit that is slow, and has its tools when they come", async () => {
    const late = Promise.withResolvers<readonly Tool[]>();
    const slow = new GivenToolkit("slow", () => late.promise);
    const { tools } = direct([slow, new GivenToolkit("quick", () => named("one"))]);
    let changes = 0;
    tools.onChange(() => (changes += 1));
    await tools.ready();
    expect(namesOf(tools)).toEqual(["quick_one"]);
    late.resolve(await named("two"));
    await eventually("it is there", () => tools.list.length === 2);
    expect(namesOf(tools)).toEqual(["slow_two", "quick_one"]);
    expect(changes).toBe(2);
  });

  it("follows a toolkit that changes, and keeps what one had that fails", async () => {
    const given = new GivenToolkit("given", () => named("one"));
    const { tools, lines } = direct([given]);
    await tools.ready();
    given.change(() => named("one", "two"));
    await eventually("it has changed", () => tools.list.length === 2);
    const { asked } = given;
    for (let count = 0; count < 1000; count++) {
      given.change(() => Promise.reject(new ToolError("unavailable", "it is gone")));
    }
    await eventually("it was asked", () => lines.length > 0);
    expect(lines).toEqual(["toolkit given has no direct tools now: it is gone"]);
    expect(given.asked).toBe(asked + 1);
    expect(namesOf(tools)).toEqual(["given_one", "given_two"]);
    given.recover(() => named("three"));
    await tools.ready();
    await eventually("it is back", () => namesOf(tools)[0] === "given_three");
  });

  it("has a limit, and never a name of ours", async () => {
    const many = Array.from({ length: 300 }, (_, at) => `tool-${at}`);
    const { tools, lines } = direct([
      new GivenToolkit("fs", () => named("read")),
      new GivenToolkit("many", () => named(...many)),
    ]);
    await tools.ready();
    expect(tools.list).toHaveLength(128);
    expect(namesOf(tools)[0]).toMatch(/^fs_read-[0-9a-f]{8}$/);
    expect(lines.at(-1)).toBe("direct tools: 301, of which the first 128 are shown");
  });
});

describe("a configuration", () => {
  it("is loaded for direct tools only where it may have some", () => {
    const file = join(server.home.directory, "other.json");
    const may = (config: unknown): boolean => {
      writeFileSync(file, typeof config === "string" ? config : JSON.stringify(config));
      return mayHaveDirectTools({ path: file, isRequired: false });
    };
    expect(may({})).toBe(false);
    expect(may("{")).toBe(false);
    expect(may([null])).toBe(false);
    expect(may({ toolkits: null, mcpServers: [1, null] })).toBe(false);
    expect(may({ mcpServers: { x: { command: "x" } } })).toBe(false);
    expect(may({ mcpServers: { x: { command: "x", expose: "cli" } } })).toBe(false);
    expect(may({ mcpServers: { x: { command: "x", expose: "direct" } } })).toBe(true);
    expect(may({ toolkits: { x: { openapi: "x" } } })).toBe(false);
    expect(may({ toolkits: { x: { module: "x" } } })).toBe(true);
    expect(may({ toolkits: { x: { module: "x", expose: "cli" } } })).toBe(false);
  });
});

let server: InstalledServer;
beforeAll(async () => {
  server = InstalledServer.install();
  const everything = join(
    import.meta.dirname,
    "../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
  );
  const given = `
    import { tool, toolkit } from "agentos-mcp/toolkit";
    const listeners = new Set();
    const made = toolkit("made", { description: "Grows.", expose: "direct", tools: {
      grow: tool({ description: "Adds a tool.", handler: () => { count += 1; for (const listener of listeners) listener(); return "grown"; } }),
      "grown-1": tool({ description: "Is new.", handler: () => "new" }),
      "grown-2": tool({ description: "Is newer.", handler: () => "new" }),
    } });
    let count = 0;
    export const changing = { ...made, tools: async () => (await made.tools()).slice(0, 1 + count),
      onChange: (listener) => { listeners.add(listener); return () => listeners.delete(listener); } };
  `;
  writeFileSync(join(server.home.directory, "given.mjs"), given);
  const config = {
    mcpServers: { every: { command: process.execPath, args: [everything], expose: "direct" } },
    toolkits: { made: { module: "./given.mjs" } },
  };
  writeFileSync(join(server.home.directory, "config.json"), JSON.stringify(config));
});
afterAll(() => server.remove());

it.each([
  ["auto", "made_grown-1"],
  ["legacy", "made_grown-2"],
] as const)(
  "tells a client of changes, and passes an MCP server's tools on (%s)",
  async (mode, grown) => {
    let changed: string[] | undefined;
    const client = new Client(
      { name: "test", version: "1" },
      {
        versionNegotiation: { mode },
        listChanged: {
          tools: { onChanged: (_error, tools) => (changed = tools?.map(({ name }) => name)) },
        },
      },
    );
    await client.connect(new StdioClientTransport(server.command));
    await eventually("the server's tools are there", async () =>
      (await client.listTools({}, { cacheMode: "bypass" })).tools.some(
        ({ name }) => name === "every_echo",
      ),
    );
    expect(
      await client.callTool({ name: "every_echo", arguments: { message: "hi" } }),
    ).toMatchObject({
      content: [{ type: "text", text: "Echo: hi" }],
    });
    await client.callTool({ name: "made_grow", arguments: {} });
    await eventually("it is told", () => changed?.includes(grown) === true);
    await client.close();
  },
);
