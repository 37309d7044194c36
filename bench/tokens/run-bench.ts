// Does every task in every arm and bills it.

import type { ArmKey } from "./arms/arm.ts";
import { arms } from "./arms/arm-list.ts";
import type { ShownPart } from "./arms/client-session.ts";
import { type Bill, bill } from "./bill.ts";
import { allDefinitions, readCatalogue } from "./catalogue/catalogue.ts";
import type { PublishedServer } from "./catalogue/published-servers.ts";
import { countTokens } from "./count-tokens.ts";
import { ServerUnderTest } from "./server-under-test.ts";
import { tasks } from "./tasks/task-list.ts";

export interface BenchResult {
  readonly catalogue: { readonly tools: number; readonly tokens: number };
  readonly rows: readonly ResultRow[];
}

export interface ResultRow {
  readonly task: string;
  readonly arm: ArmKey;
  readonly bill: Bill;
  /** Calls that reached a tool of a task's. */
  readonly calls: number;
}

export interface BenchOptions {
  readonly servers: readonly PublishedServer[];
  readonly arms?: readonly string[] | undefined;
  readonly tasks?: readonly string[] | undefined;
  /** "content" unless given. */
  readonly shows?: ShownPart | undefined;
  readonly say: (line: string) => void;
  /** Gets every conversation in full. */
  readonly onTrial?: (name: string, conversation: unknown) => void;
}

/** Fails when a task is not done in one of the arms. */
export async function runBench(options: BenchOptions): Promise<BenchResult> {
  const { servers, say, shows = "content" } = options;
  say("Reading the catalogue ...");
  const catalogue = await readCatalogue(servers);
  const server = new ServerUnderTest("cli", servers);
  const directServer = new ServerUnderTest("direct", []);
  const rows: ResultRow[] = [];
  try {
    for (const task of tasks.filter(({ key }) => options.tasks?.includes(key) ?? true)) {
      for (const arm of arms.filter(({ key }) => options.arms?.includes(key) ?? true)) {
        say(`${task.key} ${task.title}: ${arm.title} ...`);
        const { conversation, calls } = await arm.run(task, {
          catalogue,
          server,
          directServer,
          shows,
        });
        options.onTrial?.(`${task.key}-${arm.key}`, conversation);
        const charged = bill(conversation);
        rows.push({ task: task.key, arm: arm.key, bill: charged, calls: calls.length });
      }
    }
  } finally {
    await server.close();
    await directServer.close();
  }
  const tools = catalogue.toolkits.reduce((total, toolkit) => total + toolkit.tools.length, 0);
  const tokens = allDefinitions(catalogue).reduce((total, text) => total + countTokens(text), 0);
  return { catalogue: { tools, tokens }, rows };
}
