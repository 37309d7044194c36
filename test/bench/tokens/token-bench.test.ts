// The bench itself, with what the repository has: every arm does every task in a real VM or by real calls.
import { beforeAll, describe, expect, it } from "vitest";
import { arms } from "../../../bench/tokens/arms/arm-list.ts";
import { repositoryServers } from "../../../bench/tokens/catalogue/published-servers.ts";
import {
  formatReport,
  formatSummary,
  GOAL,
  JUDGED_ARMS,
  savingOf,
} from "../../../bench/tokens/report.ts";
import { type BenchResult, type ResultRow, runBench } from "../../../bench/tokens/run-bench.ts";
import { tasks } from "../../../bench/tokens/tasks/task-list.ts";

/** Each run starts a server, two MCP servers and twenty VMs or so. */
const RUN_LIMIT_MS = 240_000;

async function run(chosen?: readonly string[]): Promise<BenchResult> {
  return await runBench({ servers: repositoryServers(), tasks: chosen, say: () => undefined });
}

describe("the token bench", () => {
  let result: BenchResult;
  const row = (task: string, arm: string): ResultRow => {
    const found = result.rows.find((each) => each.task === task && each.arm === arm);
    if (found === undefined) throw new Error(`There is no row of ${task} ${arm}.`);
    return found;
  };

  beforeAll(async () => {
    result = await run();
  }, RUN_LIMIT_MS);

  it("does every task in every arm", () => {
    const done = result.rows.map(({ task, arm }) => `${task} ${arm}`);
    expect(done).toEqual(tasks.flatMap(({ key }) => arms.map((arm) => `${key} ${arm.key}`)));
  });

  it("makes the same calls of tools in every arm", () => {
    const calls = { T1: 1, T2: 1, T3: 2, T4: 31, T5: 22 };
    for (const { task, arm, calls: made } of result.rows) {
      expect([task, arm, made]).toEqual([task, arm, calls[task as keyof typeof calls]]);
    }
  });

  it.each(JUDGED_ARMS.map((arm) => ({ arm })))(
    "bills $arm at least 90 % less input than direct for the batch tasks",
    ({ arm }) => {
      expect(savingOf(result.rows, arm)).toBeGreaterThanOrEqual(GOAL);
    },
  );

  it("saves most of it on each of them", () => {
    for (const { key } of tasks.filter(({ isBatch }) => isBatch)) {
      for (const arm of JUDGED_ARMS) {
        const saving = savingOf(result.rows, arm, [key]);
        expect([key, arm, saving >= 0.85, saving]).toEqual([key, arm, true, saving]);
      }
    }
  });

  it("writes less with commands and code than with direct calls", () => {
    const output = (arm: string): number =>
      tasks.reduce((total, { key }) => total + row(key, arm).bill.output, 0);
    for (const arm of JUDGED_ARMS) expect(output(arm)).toBeLessThan(output("direct") / 5);
  });

  it("shows that for one call the tool alone is cheaper than a VM", () => {
    const alone = row("T1", "direct-needed").bill.input;
    for (const arm of JUDGED_ARMS) expect(row("T1", arm).bill.input).toBeGreaterThan(alone);
  });

  it("counts a sequence of calls as more turns of the same content", () => {
    expect(row("T4", "direct").bill.turns).toBe(2);
    expect(row("T4", "direct-sequential").bill.turns).toBe(32);
    expect(row("T4", "direct-sequential").bill.output).toBe(row("T4", "direct").bill.output);
  });

  it("reports a table for each task, the batch tasks and all", () => {
    const titles = formatReport(result).match(/^### .*/gm);
    expect(titles).toHaveLength(tasks.length + 2);
    expect(formatSummary(result)).toContain("| CLI, cold | ");
  });

  it(
    "gives the same figures again",
    async () => {
      const again = await run(["T1"]);
      const before = result.rows.filter(({ task }) => task === "T1");
      expect(again).toEqual({ ...result, rows: before });
    },
    RUN_LIMIT_MS,
  );
});
