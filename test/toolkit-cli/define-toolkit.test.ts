import { describe, expect, it } from "vitest";
import { tool } from "../../src/toolkit-cli/define-tool.ts";
import { TOOLS_LIMIT, toolkit } from "../../src/toolkit-cli/define-toolkit.ts";

const nothing = tool({ description: "Does nothing.", handler: () => undefined });

describe("toolkit()", () => {
  it("names its tools as commands", async () => {
    const project = toolkit("myProject", {
      description: " Issues. ",
      tools: { listIssues: nothing, add_comment: nothing },
    });
    expect([project.name, project.description, project.expose]).toEqual([
      "my-project",
      "Issues.",
      "cli",
    ]);
    expect((await project.tools()).map(({ name }) => name)).toEqual(["list-issues", "add-comment"]);
  });

  it("takes tools named like what objects have, and no others", async () => {
    const tools = JSON.parse('{"__proto__": 1, "constructor": 1, "toString": 1}') as object;
    const kit = toolkit("odd", {
      tools: Object.fromEntries(Object.keys(tools).map((name) => [name, nothing])),
    });
    expect((await kit.tools()).map(({ name }) => name)).toEqual([
      "proto",
      "constructor",
      "to-string",
    ]);
  });

  it.each([
    ["", { a: nothing }, /cannot be the name of a toolkit/],
    ["x", {}, /^The toolkit x has no tools\.$/],
    ["x", { "": nothing }, /cannot be the name of a tool/],
    ["x", { aB: nothing, a_b: nothing }, /would both be called a-b/],
  ])("refuses %j with %j", (name, tools, message) => {
    expect(() => toolkit(name, { tools })).toThrow(message);
  });

  it("refuses too many tools, too long a description, a strange exposure, an unknown option, and what is no tool", () => {
    const many = Array.from({ length: TOOLS_LIMIT + 1 }, (_, index) => [`t${index}`, nothing]);
    expect(() => toolkit("x", { tools: Object.fromEntries(many) })).toThrow(
      "A toolkit may have 1000 tools; x has 1001. Make several of it.",
    );
    expect(() => toolkit("x", { description: "y".repeat(5000), tools: { a: nothing } })).toThrow(
      "A toolkit's description may have 4096 characters, not 5000.",
    );
    expect(() => toolkit("x", { expose: "all" as "both", tools: { a: nothing } })).toThrow(
      'The toolkit x cannot be exposed as "all": it is "cli", "direct" or "both".',
    );
    expect(() => toolkit("x", { exposed: "both", tools: { a: nothing } } as never)).toThrow(
      'A toolkit has no option "exposed"; did you mean expose?',
    );
    expect(() => toolkit("x", { tools: { a: { handler() {} } as never } })).toThrow(
      'The tool "a" is not made by tool().',
    );
  });
});
