import { describe, expect, it } from "vitest";
import { declareTools } from "../../../../src/toolkit-cli/declarations/declare-tools.ts";
import type { ToolDescription } from "../../../../src/toolkit-cli/description.ts";
import { CodeCheck } from "../../../../src/vm/code-mode/checker/check-code.ts";

const tool = (name: string, more: Partial<ToolDescription>): ToolDescription => ({
  name,
  description: "",
  input: { type: "object" },
  examples: [],
  isReadOnly: false,
  needsApproval: false,
  ...more,
});

const tools = declareTools([
  {
    name: "project",
    description: "",
    tools: [
      tool("list-issues", {
        input: {
          type: "object",
          properties: { status: { enum: ["open", "closed"] }, limit: { type: "integer" } },
          additionalProperties: false,
        },
        output: {
          type: "array",
          items: {
            type: "object",
            properties: { id: { type: "number" }, title: { type: "string" } },
            required: ["id", "title"],
          },
        },
      }),
      tool("close-issue", {
        input: { type: "object", properties: { id: { type: "number" } }, required: ["id"] },
      }),
    ],
  },
  { name: "later" },
]);

const check = new CodeCheck();
const problems = (code: string): string[] =>
  check.check({ code, tools }).map(({ line, column, message }) => `${line}:${column} ${message}`);

describe("CodeCheck", () => {
  it("finds unknown toolkits and tools, with what may be meant", () => {
    expect(problems("const a = 1;\nreturn await tools.project.listIssue({})")).toEqual([
      expect.stringMatching(
        /^2:28 Property 'listIssue' does not exist .* Did you mean 'listIssues'\?$/,
      ),
    ]);
    expect(problems("return tools.projct.listIssues()")).toEqual([
      expect.stringMatching(/^1:14 .*Did you mean 'project'\?$/),
    ]);
    expect(problems("return tools.later.whatever(1, 2)")).toEqual([]);
    const none = declareTools([]);
    expect(check.check({ code: "tools.a.b()", tools: none })).toMatchObject([
      { message: "Property 'a' does not exist on type 'NoToolkits'." },
    ]);
    const empty = declareTools([{ name: "a", description: "", tools: [] }]);
    expect(check.check({ code: "tools.a.b()", tools: empty })).toHaveLength(1);
    expect(check.check({ code: "tools.project.closeIssue({ id: '1' })", tools })[0]).toMatchObject({
      tool: ["project", "closeIssue"],
      source: "tools.project.closeIssue({ id: '1' })",
    });
  });

  it("finds wrong, missing and unknown inputs", () => {
    expect(problems("await tools.project.closeIssue({ id: '1' })")).toEqual([
      "1:34 Type 'string' is not assignable to type 'number'.",
    ]);
    expect(problems("await tools.project.closeIssue({})")).toEqual([
      expect.stringContaining("Property 'id' is missing"),
    ]);
    expect(problems("await tools.project.closeIssue()")).toEqual([
      "1:21 Expected 1-2 arguments, but got 0.",
    ]);
    expect(problems("await tools.project.listIssues({ state: 'open' })")).toEqual([
      expect.stringContaining("'state' does not exist in type"),
    ]);
    expect(problems("await tools.project.listIssues({ status: 'opne' })")).toEqual([
      `1:34 Type '"opne"' is not assignable to type '"open" | "closed"'.`,
    ]);
    expect(problems("const all = await tools.project.listIssues();\nreturn all[0].titel")).toEqual([
      expect.stringMatching(/^2:15 .*Did you mean 'title'\?$/),
    ]);
    expect(problems("return tools.project({})")).toEqual([expect.stringContaining("not callable")]);
  });

  it("finds promises nobody waits for", () => {
    expect(problems("const all = tools.project.listIssues();\nreturn all.length")).toEqual([
      expect.stringMatching(/^2:12 .*Promise.*await/),
    ]);
    expect(problems("for (const i of tools.project.listIssues()) console.log(i)")).toHaveLength(1);
    expect(problems("tools.project.closeIssue({ id: 1 });\nreturn 1")).toEqual([
      `1:1 Nobody waits for the promise of tools.project.closeIssue(): write "await tools.project.closeIssue(…)".`,
    ]);
    expect(problems("const { stdout } = vm.exec('ls')")).toHaveLength(1);
    expect(problems("if (fs.access('/x')) text('is there');")).toHaveLength(1);
    expect(problems("tools.project.closeIssue({ id: 1 })")).toEqual([]);
    expect(
      problems(
        "const all = [1, 2].map((id) => tools.project.closeIssue({ id })); await Promise.all(all)",
      ),
    ).toEqual([]);
  });

  it("finds names that nothing has", () => {
    expect(problems("const value = 1;\nreturn valeu")).toEqual([
      "2:8 Cannot find name 'valeu'. Did you mean 'value'?",
    ]);
    expect(problems("const a = 1; a = 2")).toEqual([expect.stringContaining("constant")]);
  });

  it.each([
    "const o = {}; o.x = 1; return o.y",
    "const e = new Error('x'); e.code = 5; throw e",
    "try { await fs.stat('/x') } catch (error) { if (error instanceof Error && error.code === 'ENOENT') return 0 }",
    "return parseInt(5) + Math.max('1', 2) + (new Date() - new Date(0))",
    "const { join } = require('node:path'); return join('a', process.cwd(), Buffer.from('x').toString())",
    "const path = await import('node:path'); return path.join(__dirname, 'x')",
    "const counts = {}; for (const w of 'a b'.split(' ')) counts[w] = (counts[w] ?? 0) + 1; return counts",
    "const by = [1].reduce((all, n) => { all[n] ??= []; all[n].push(n); return all }, {}); return by.one",
    "let best = null; for (const i of await tools.project.listIssues()) if (!best || i.id > best.id) best = i; return best",
    "class A { constructor() { this.x = 1 } } class B extends A {} return new B().x",
    "x = 5; if (typeof nowhere === 'undefined') globalThis.y = x; return globalThis.y",
    "return (await tools.project.closeIssue({ id: 1 })).anything.at.all",
    "for await (const part of tools.project.listIssues.stream({})) console.log(part)",
    "setTimeout(() => {}, 1); const r = await fetch(new URL('http://x')); return structuredClone(await r.json())",
    "async () => { return await tools.project.listIssues({ limit: 1 }) }",
    "{ a: 1, b: await load('k') }",
    "return path.join(os.tmpdir(), 'x')",
    "function f(a, b) { return arguments.length } return f(1)",
    "const [a] = (await vm.exec('ls', { cwd: '/' })).stdout.split('\\n'); await store('a', { a }); text(a)",
    "const m = new Map(); m.set('a', 1); return [...m, ...new Set([1])].flat().at(-1)",
    "return 'a-b'.replaceAll('-', '').match(/(?<x>a)/)?.groups.x",
    "var self = this; return Object.entries({ a: 1 }).map(([k, v]) => k + v.toFixed(1))",
  ])("lets JavaScript be: %s", (code) => {
    expect(problems(code)).toEqual([]);
  });

  it("checks TypeScript as such", () => {
    expect(problems("const n: number = 'x'; return n")).toEqual([
      "1:7 Type 'string' is not assignable to type 'number'.",
    ]);
    expect(
      problems(
        "interface Row { id: number }\nconst rows: Row[] = await tools.project.listIssues();\nreturn rows.map((row): string => `${row.id}`)",
      ),
    ).toEqual([]);
    expect(problems("const x: Missing = 1; return x as unknown")).toEqual([]);
  });

  it("says where code does not parse", () => {
    expect(check.check({ code: "const a = 1;\nreturn (a", tools })).toEqual([
      { line: 2, column: 10, source: "return (a", message: "')' expected.", isSyntax: true },
    ]);
  });

  it("says no more than helps", () => {
    const code = Array.from({ length: 50 }, (_, index) => `missing${index};`).join("\n");
    expect(problems(code)).toHaveLength(10);
  });
});
