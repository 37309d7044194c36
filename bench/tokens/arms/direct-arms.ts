// The arms in which the model calls tools itself.
import { rankTools } from "../../../src/toolkit-cli/index.ts";
import { allDefinitions, type Catalogue, definitionOf } from "../catalogue/catalogue.ts";
import { definitionText, type Turn } from "../conversation.ts";
import { assertDone, type Task } from "../tasks/task.ts";
import type { Arm, Bench, Trial } from "./arm.ts";
import { DirectCalls } from "./direct-calls.ts";

/** What a search answers with; as many as the tool search of Claude's API. */
const FOUND_TOOLS = 5;

/** The best case of today's clients: every tool is known, and calls that can go together do. */
export const direct: Arm = {
  key: "direct",
  title: "direct, all tools",
  run: async (task, bench) => await runDirect(task, bench, allDefinitions(bench.catalogue)),
};

/** A client that somebody has set up for this one task. */
export const directNeeded: Arm = {
  key: "direct-needed",
  title: "direct, only the tools needed",
  run: async (task, bench) =>
    await runDirect(
      task,
      bench,
      task.needs.map((key) => definition(bench.catalogue, key)),
    ),
};

/** A model that makes one call at a time. */
export const directSequential: Arm = {
  key: "direct-sequential",
  title: "direct, one call a turn",
  async run(task, bench) {
    const { conversation, calls } = await direct.run(task, bench);
    const turns = conversation.turns.flatMap(({ uses }) => uses.map((use) => ({ uses: [use] })));
    return { conversation: { ...conversation, turns }, calls };
  },
};

const searchTool = {
  name: "tool_search",
  description:
    "Searches the tools of all connected servers by keywords and loads the definitions of the best matches, which can be called from then on.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", description: "Keywords for the tools you need" },
      limit: { type: "integer", description: "How many tools to load at most, 5 unless given" },
    },
    required: ["query"],
  },
};

/** Definitions are loaded by a search, which gives the best matches of the same ranking that ours uses. */
export const toolSearch: Arm = {
  key: "tool-search",
  title: "direct + tool search",
  async run(task, bench) {
    const { catalogue } = bench;
    const search = searchTurn(task, catalogue);
    const definitions = [definitionText(searchTool), ...catalogue.instructions];
    const { conversation, calls } = await runDirect(task, bench, definitions);
    return { conversation: { ...conversation, turns: [search, ...conversation.turns] }, calls };
  },
};

function searchTurn(task: Task, catalogue: Catalogue): Turn {
  const found = task.queries.map((query) => rankTools(catalogue.toolkits, query, FOUND_TOOLS));
  const names = new Set(found.flat().map(({ toolkit, tool }) => `${toolkit} ${tool}`));
  const missing = task.needs.filter((key) => !names.has(key));
  if (missing.length > 0) throw new Error(`${task.key}: the search did not find ${missing.join()}`);
  const uses = found.map((matches, at) => ({
    name: searchTool.name,
    input: { query: task.queries[at] },
    answer: matches.map(({ toolkit, tool }) => definitionOf(catalogue, toolkit, tool)).join("\n"),
  }));
  return { uses };
}

async function runDirect(
  task: Task,
  { directServer }: Bench,
  definitions: readonly string[],
): Promise<Trial> {
  const connection = await directServer.connect();
  try {
    const client = new DirectCalls(connection);
    directServer.forgetCalls();
    const answer = await task.direct(client.turn);
    const calls = directServer.calls();
    if (answer !== task.answer) throw new Error(`${task.key}: the answer is ${answer}`);
    assertDone({ ...task, shows: [] }, "", calls);
    const { prompt } = task;
    const { turns } = client;
    return { conversation: { definitions, notes: "", prompt, turns, answer }, calls };
  } finally {
    await connection.close();
  }
}

function definition(catalogue: Catalogue, key: string): string {
  const [toolkit = "", tool = ""] = key.split(" ");
  return definitionOf(catalogue, toolkit, tool);
}
