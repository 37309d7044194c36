import { describe, expect, it } from "vitest";
import { mcpName } from "../../../bench/tokens/catalogue/catalogue.ts";
import { standIns } from "../../../bench/tokens/catalogue/stand-ins.ts";
import { countTokens } from "../../../bench/tokens/count-tokens.ts";
import { assertDone } from "../../../bench/tokens/tasks/task.ts";
import { tasks } from "../../../bench/tokens/tasks/task-list.ts";
import { benchToolkits } from "../../../bench/tokens/toolkits/bench-toolkits.ts";
import { makeTranscript } from "../../../bench/tokens/toolkits/drive.ts";
import { makeExpenses, makeMembers } from "../../../bench/tokens/toolkits/finance.ts";
import { makeIssues } from "../../../bench/tokens/toolkits/tracker.ts";

const [lookUp, filterIssues, , fillCalendar] = tasks;

describe("the proof that a task is done", () => {
  if (lookUp === undefined || filterIssues === undefined || fillCalendar === undefined) {
    throw new Error("There are tasks missing.");
  }
  const created = fillCalendar.writes.map((written) => {
    return { toolkit: "calendar", tool: "create-event", written };
  });

  it("takes writes in any order", () => {
    expect(() => assertDone(fillCalendar, "31", created.toReversed())).not.toThrow();
  });

  it("fails when a write is missing", () => {
    expect(() => assertDone(fillCalendar, "31", created.slice(1))).toThrow("T4: wrote");
  });

  it("fails when something is written twice", () => {
    expect(() => assertDone(fillCalendar, "31", [...created, ...created.slice(0, 1)])).toThrow(
      "T4: wrote",
    );
  });

  it("fails when the answer cannot follow from what was shown", () => {
    const calls = [{ toolkit: "tracker", tool: "list-issues" }];
    expect(() => assertDone(filterIssues, "", calls)).toThrow("T2: the answer lacks");
  });

  it("fails when a tool was not called at all", () => {
    expect(() => assertDone(lookUp, lookUp.shows.join(), [])).toThrow(
      "T1: tracker get-issue was not called.",
    );
  });
});

describe("what the tasks are about", () => {
  it("has the sizes it says", () => {
    expect(makeIssues().filter(({ state }) => state === "open")).toHaveLength(100);
    expect(makeTranscript().split(/\s+/).length).toBeGreaterThanOrEqual(6500);
    expect(makeMembers().map((_, at) => makeExpenses(at).length)).toEqual(Array(20).fill(60));
  });

  it("has something to find and something to leave out", () => {
    const found = filterIssues?.shows.length ?? 0;
    expect(found).toBeGreaterThan(2);
    expect(found).toBeLessThan(20);
  });
});

describe("the catalogue", () => {
  it("has tools of different names", async () => {
    const names = await Promise.all(
      benchToolkits(() => undefined).map(async (toolkit) =>
        (await toolkit.tools()).map((tool) => mcpName(toolkit.name, tool.name)),
      ),
    );
    expect(new Set(names.flat()).size).toBe(names.flat().length);
    expect(names.flat().length).toBeGreaterThan(100);
  });

  it("has stand-ins no longer than the tools of published servers, which take 243 tokens on average", async () => {
    const tools = (await Promise.all(standIns().map((toolkit) => toolkit.tools()))).flat();
    const tokens = tools.map(({ name, description, input }) =>
      countTokens(JSON.stringify({ name, description, input_schema: input })),
    );
    const mean = tokens.reduce((total, count) => total + count, 0) / tokens.length;
    expect(mean).toBeLessThan(243);
  });
});
