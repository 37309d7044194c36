import { describe, expect, it } from "vitest";
import { tool } from "../../src/toolkit-cli/define-tool.ts";
import { toolkit } from "../../src/toolkit-cli/define-toolkit.ts";
import { describeToolkit } from "../../src/toolkit-cli/describe-toolkit.ts";
import type { ToolkitDescription } from "../../src/toolkit-cli/description.ts";
import { rankTools } from "../../src/toolkit-cli/rank-tools.ts";
import { searchTools } from "../../src/toolkit-cli/search-tools.ts";
import { stem } from "../../src/toolkit-cli/stem.ts";
import { ToolError } from "../../src/toolkit-cli/tool-event.ts";
import type { Toolkit } from "../../src/toolkit-cli/toolkit.ts";

function catalog(name: string, tools: Record<string, string>): ToolkitDescription {
  const described = Object.entries(tools).map(([tool, description]) => ({
    name: tool,
    description,
    input: { type: "object", properties: { pullRequestNumber: { type: "integer" } } },
    examples: [],
    isReadOnly: false,
    needsApproval: false,
  }));
  return { name, description: "", tools: described };
}

const github = catalog("github", {
  "list-issues": "List the issues of a repository, newest first.",
  "create-issue": "Open a new issue.",
  "merge-pull-request": "Merge a pull request into its base branch.",
  "search-code": "Search in code of all repositories.",
});
const calendar = catalog("calendar", {
  "create-event": "Create an event with attendees and a time.",
  "list-events": "List events between two days.",
});
const all = [github, calendar];

const found = (query: string, limit = 3): string[] =>
  rankTools(all, query, limit).map(({ toolkit: kit, tool: name }) => `${kit} ${name}`);

describe("rankTools", () => {
  it.each([
    ["listing issues", "github list-issues"],
    ["create an issue", "github create-issue"],
    ["createEvent", "calendar create-event"],
    ["merging PRs: pull requests", "github merge-pull-request"],
    ["repositories code", "github search-code"],
    ["calendar events between days", "calendar list-events"],
    ["attend", "calendar create-event"],
    ["add an appointment", "calendar create-event"],
    ["find code", "github search-code"],
  ])("answers %j with %s first", (query, best) => {
    expect(found(query)[0]).toBe(best);
  });

  it("gives the same order each time, ties by name, and all tools for no words", () => {
    expect(found("pull-request-number", 10).slice(1)).toEqual(
      found("pullRequestNumber", 10).slice(1),
    );
    expect(found("", 10)).toEqual([
      "calendar create-event",
      "calendar list-events",
      "github create-issue",
      "github list-issues",
      "github merge-pull-request",
      "github search-code",
    ]);
    expect(rankTools([calendar, github], "list", 10)).toEqual(rankTools(all, "list", 10));
  });

  it("leaves out what has no more than a verb in common", () => {
    const things = ["invoices", "pages", "orders", "members", "buckets", "deployments"];
    const others = catalog("erp", Object.fromEntries(things.map((name) => [`list-${name}`, name])));
    const names = rankTools([...all, others], "list issues", 10).map(({ tool: name }) => name);
    expect(names).toEqual(["list-issues", "create-issue"]);
  });

  it("gives nothing where nothing fits, and keeps to its limits", () => {
    expect(found("zebra")).toEqual([]);
    expect(found("list", 1)).toHaveLength(1);
    expect(found("list", -5)).toHaveLength(1);
    expect(found("list ".repeat(100_000))).toHaveLength(2);
    expect(rankTools([], "list", 5)).toEqual([]);
  });
});

describe("stem", () => {
  it.each([
    ["issues", "issue"],
    ["created", "create"],
    ["creating", "creates"],
    ["repositories", "repository"],
    ["branches", "branch"],
    ["merging", "merge"],
    ["planned", "plan"],
    ["status", "status"],
  ])("brings %s and %s together", (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });

  it("leaves short words and other scripts alone", () => {
    expect(["bus", "is", "天気", "s3"].map(stem)).toEqual(["bus", "is", "天気", "s3"]);
  });
});

describe("searchTools", () => {
  const ok = toolkit("ok", {
    tools: {
      listThings: tool({ description: "Lists things.", handler: () => 1 }),
      hideThings: tool({ description: "Hides things.", handler: () => 1 }),
    },
  });
  const broken: Toolkit = {
    ...ok,
    name: "broken",
    tools: () => Promise.reject(new ToolError("unavailable", "run it first")),
  };
  const silent: Toolkit = { ...ok, name: "silent", tools: () => new Promise(() => {}) };

  it("searches what answers, tells what does not, and shows only what is granted", async () => {
    const isGranted = (kit: string, name: string): boolean =>
      kit === "ok" && name === "list-things";
    const result = await searchTools([ok, broken, silent], "things", {
      limit: 5,
      describe: (kit, signal) =>
        describeToolkit(kit, ({ name }) => isGranted(kit.name, name), signal),
      timeoutMs: 5,
    });
    expect(result).toEqual({
      matches: [
        {
          toolkit: "ok",
          tool: "list-things",
          description: "Lists things.",
          score: expect.any(Number),
        },
      ],
      unavailable: [
        { toolkit: "broken", message: "run it first" },
        { toolkit: "silent", message: "It did not say what it has within 5 ms." },
      ],
    });
  });

  it("ends with its caller", async () => {
    const { unavailable } = await searchTools([silent], "x", {
      limit: 1,
      signal: AbortSignal.abort(),
    });
    expect(unavailable).toHaveLength(1);
  });
});
