import fc from "fast-check";
import ts from "typescript-6";
import { describe, expect, it } from "vitest";
import { declareTools, showTool } from "../../../src/toolkit-cli/declarations/declare-tools.ts";
import type { ToolDescription } from "../../../src/toolkit-cli/description.ts";
import type { JsonSchema } from "../../../src/toolkit-cli/json-schema.ts";

const tool = (input: JsonSchema, more: Partial<ToolDescription> = {}): ToolDescription => ({
  name: "list-issues",
  description: "Lists issues.",
  input,
  examples: [],
  isReadOnly: false,
  needsApproval: false,
  ...more,
});

/** The type of an input as a reader sees it. */
const typeOf = (schema: JsonSchema): string => {
  const shown = showTool("project", tool({ type: "object", properties: { x: schema } }));
  return shown.replace(/^[^]*?\{ x\?: ([^]*?) \}\): Promise<any>/, "$1");
};

/** What TypeScript's own parser says about a text. */
const syntaxErrors = (text: string): readonly string[] => {
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
};

describe("showTool", () => {
  it("shows how a tool is called, with comments, defaults and ranges", () => {
    const shown = showTool(
      "my-project",
      tool(
        {
          type: "object",
          properties: {
            status: { enum: ["open", "closed"], default: "open", description: "Which */ ones" },
            limit: { type: "integer", minimum: 1, maximum: 100 },
            "a key": { type: ["string", "null"], format: "date-time" },
            photo: { type: "string", contentEncoding: "base64" },
          },
          required: ["limit"],
        },
        {
          output: {
            type: "array",
            items: { type: "object", properties: { id: { type: "number" } } },
          },
          isReadOnly: true,
        },
      ),
    );
    expect(shown).toBe(`/** Read-only. Lists issues. */
tools.myProject.listIssues(input: {
  /** Which * / ones Default "open". */
  status?: "open" | "closed";
  /** (1 to 100) */
  limit: number;
  /** (date-time) */
  "a key"?: string | null;
  /** (base64) */
  photo?: string;
}): Promise<{ id?: number }[]>`);
  });

  it("leaves out an input that there is none of", () => {
    expect(showTool("p", tool({ type: "object", additionalProperties: false }))).toContain(
      "tools.p.listIssues(): Promise<any>",
    );
    expect(showTool("p", tool({ type: "object" }))).toContain("(input?: Record<string, any>)");
  });

  it("says unions, tuples, records and intersections", () => {
    expect(
      typeOf({ anyOf: [{ type: "string" }, { type: "array", items: { type: "integer" } }] }),
    ).toBe("string | number[]");
    expect(typeOf({ type: "array", items: { enum: ["a", "b"] } })).toBe('("a" | "b")[]');
    expect(
      typeOf({
        type: "array",
        prefixItems: [{ type: "string" }, { type: "number" }],
        items: false,
        minItems: 1,
      }),
    ).toBe("[string, number?]");
    expect(typeOf({ type: "object", additionalProperties: { type: "boolean" } })).toBe(
      "Record<string, boolean>",
    );
    expect(
      typeOf({
        allOf: [
          { type: "object", properties: { a: { const: 1 } }, required: ["a"] },
          { oneOf: [{ const: "x" }, { type: "null" }] },
        ],
      }),
    ).toBe('{ a: 1 } & ("x" | null)');
    expect(typeOf({ type: "string", nullable: true })).toBe("string | null");
    expect(typeOf({ type: "object", properties: { a: {} }, additionalProperties: true })).toBe(
      "{ a?: any; [key: string]: any }",
    );
  });

  it("names what is referred to, cycles included", () => {
    const shown = showTool(
      "p",
      tool({
        type: "object",
        properties: {
          tree: { $ref: "#/$defs/tree-node" },
          self: { $ref: "#" },
          gone: { $ref: "#/x" },
        },
        $defs: {
          "tree-node": {
            type: "object",
            properties: { children: { type: "array", items: { $ref: "#/$defs/tree-node" } } },
          },
        },
      }),
    );
    expect(shown).toBe(`/** Lists issues. */
tools.p.listIssues(input?: { tree?: TreeNode; self?: ListIssuesInput; gone?: any }): Promise<any>
type TreeNode = { children?: TreeNode[] };
type ListIssuesInput = { tree?: TreeNode; self?: ListIssuesInput; gone?: any };`);
  });

  it("stays short, whatever the schema", () => {
    const words = "x".repeat(500);
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [
        `property${index}`,
        {
          type: "object",
          description: words,
          properties: { inner: { type: "string", description: words } },
        },
      ]),
    );
    const shown = showTool("p", tool({ type: "object", properties }));
    expect(shown.length).toBeLessThan(8_001);
    expect(shown).toContain("property99?: { inner?: string };");
    expect(shown).toContain("/** 400 more */\n  [key: string]: any;");
    let deep: JsonSchema = { type: "string" };
    for (let depth = 0; depth < 5_000; depth += 1) deep = { type: "array", items: deep };
    expect(showTool("p", tool({ type: "object", properties: { deep } }))).toContain("any[][][]");
  });

  it("lets no name or word out of its place", () => {
    const evil = '*/ }; declare const x: "\u2028\n';
    const shown = showTool(
      "p",
      tool(
        {
          type: "object",
          properties: {
            [evil]: { enum: [evil], description: evil },
            日本: { $ref: "#/$defs/日本" },
            __proto__x: {},
          },
          $defs: { 日本: { type: "string" }, Promise: {} },
        },
        { description: evil },
      ),
    );
    expect(
      syntaxErrors(`declare function ${shown.replace("tools.p.", "").replace(/^\/\*.*\n/, "")}`),
    ).toEqual([]);
    expect(shown).toContain("日本?: 日本");
  });
});

describe("declareTools", () => {
  it("declares the described, and knows the others by name", () => {
    const text = declareTools([
      { name: "my-project", description: "", tools: [tool({ type: "object", properties: {} })] },
      { name: "later" },
    ]);
    expect(text).toContain(
      "declare const tools: {\n  readonly myProject: {\n    readonly listIssues: ToolWithDefaults<Record<string, any>, any>;\n  };\n  readonly later: any;\n};\n",
    );
    expect(syntaxErrors(text)).toEqual([]);
  });

  it("gives definitions of different tools names of their own", () => {
    const input = (type: string): JsonSchema => ({
      type: "object",
      properties: { error: { $ref: "#/$defs/Error" } },
      required: ["error"],
      $defs: { Error: { type } },
    });
    const text = declareTools([
      {
        name: "p",
        description: "",
        tools: [tool(input("string")), tool(input("number"), { name: "b" })],
      },
    ]);
    expect(text).toContain("type ErrorType = string;\ntype ErrorType2 = number;\n");
  });

  it("makes text that TypeScript takes of any schema", () => {
    const keyword = fc.constantFrom(
      ..."type enum const properties required items prefixItems anyOf oneOf allOf $ref additionalProperties description default format minimum nullable $defs".split(
        " ",
      ),
    );
    const word = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "string",
        "object",
        "array",
        "#",
        "#/$defs/a",
        "#/properties/x",
        "*/",
        "x",
        "a",
      ),
    );
    const { schema } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        word,
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        tie("schema"),
        fc.array(tie("value"), { maxLength: 3 }),
      ),
      schema: fc.dictionary(fc.oneof(keyword, keyword, word), tie("value"), { maxKeys: 5 }),
    }));
    fc.assert(
      fc.property(schema, schema, (input, output) => {
        const made = tool(input as JsonSchema, { output: output as JsonSchema });
        showTool("p", made);
        expect(syntaxErrors(declareTools([{ name: "p", description: "", tools: [made] }]))).toEqual(
          [],
        );
      }),
      { numRuns: 300 },
    );
  });
});
