import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ToolError, type Toolkit, tool, toolkit } from "../../../src/toolkit-cli/index.ts";
import { built } from "../../support/built-vms.ts";
import { makeProject } from "./project-toolkit.ts";
import { ToolBox } from "./tool-box.ts";

const broken: Toolkit = {
  name: "broken-one",
  description: "Never\n\nstarts.",
  expose: "cli",
  tools: () => Promise.reject(new ToolError("unavailable", "it does not start")),
};

const large = toolkit("large", {
  tools: Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [
      `workOn${index}`,
      tool({ description: `Works on widgets, number ${index}.`, handler: () => index }),
    ]),
  ),
});

let box: ToolBox;
beforeAll(async () => {
  const defaults = { toolkits: [makeProject(), broken, large] };
  box = new ToolBox(new built.Vms({ poolSize: 0, defaults }));
});
afterAll(() => box.close());

const search = async (input: object): Promise<string> =>
  (await box.texts("toolkit_search", input)).join("\n");

describe("toolkit_search", () => {
  it("lists toolkits without starting any", async () => {
    expect(await search({})).toBe(`project: An issue tracker.
brokenOne: Never starts.
large: 

[Call these in code_run. In a VM's shell, run agentos-<toolkit> <tool> --help. Search with query, or name a toolkit to see its tools.]`);
  });

  it("shows the declarations of what matches, best first", async () => {
    const found = await search({ query: "close an issue", limit: 2 });
    expect(found).toMatch(
      /^\/\*\* Somebody must approve each call\. Closes an issue\. \*\/\ntools\.project\.closeIssue\(input: \{ id: number \}\): Promise<any>\n\n/,
    );
    expect(found).toContain("[broken-one could not be searched: it does not start]");
    expect(found.match(/^tools\./gm)).toHaveLength(2);
    expect(await search({ query: "weather" })).toMatch(
      /^\[No tool matches "weather"\. Toolkits: project, brokenOne, large\.\]/,
    );
  });

  it("shows what is named, however it is written", async () => {
    const shown = await search({ name: "project.listIssues" });
    expect(shown).toBe(`/** Read-only. Lists issues. */
tools.project.listIssues(input?: { status?: "open" | "closed" }): Promise<{ id: number; title: string; body: string }[]>

[Call these in code_run. In a VM's shell, run agentos-<toolkit> <tool> --help.]`);
    for (const name of ["tools.project.listIssues", "project:list-issues", "project list-issues"])
      expect(await search({ name })).toBe(shown);
    expect(await search({ name: "project" })).toBe(`tools.project has 3 tools:
closeIssue: Closes an issue.
fail: Fails.
listIssues (read-only): Lists issues.

[Name one, as project.<tool>, or search with query to see declarations.]`);
  });

  it("says what there is where a name is wrong", async () => {
    expect(await search({ name: "project.list" })).toBe(
      'project has no tool "list". It has: closeIssue, fail, listIssues.',
    );
    // The built library's errors are not this file's: a server has one of each.
    await expect(search({ name: "nothing" })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/^There is no toolkit "nothing"/),
    });
    expect(await search({ name: "broken-one.x" })).toBe("it does not start");
  });

  it("answers no more than can be read", async () => {
    expect((await search({ query: "widgets", limit: 50 })).length).toBeLessThan(25_000);
    expect((await search({ name: "large" })).length).toBeLessThan(25_000);
  });

  it("hides what the policy denies", async () => {
    const rules = [{ mode: "deny", patterns: ["project:*-issues"] }] as const;
    const permissions = { toolkit: { default: "allow", rules } } as const;
    const defaults = { toolkits: [makeProject()], permissions };
    const other = new ToolBox(new built.Vms({ poolSize: 0, defaults }));
    const [shown] = await other.texts("toolkit_search", { name: "project" });
    await other.close();
    expect(shown).toMatch(
      /^tools\.project has 2 tools:\ncloseIssue: Closes an issue\.\nfail: Fails\.\n/,
    );
  });
});
