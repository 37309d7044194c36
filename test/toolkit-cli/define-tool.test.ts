import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { tool } from "../../src/toolkit-cli/define-tool.ts";

describe("tool()", () => {
  it("takes nothing where it has no input", async () => {
    const { input, validate, timeoutMs, isReadOnly, needsApproval } = tool({
      description: "x",
      handler: () => 1,
    });
    expect(input).toEqual({ type: "object", properties: {}, additionalProperties: false });
    expect(await validate({})).toEqual({ ok: true, value: {} });
    expect(await validate({ a: 1 })).toEqual({
      ok: false,
      issues: [{ path: ["a"], message: "is not known: nothing is taken here" }],
    });
    expect([timeoutMs, isReadOnly, needsApproval]).toEqual([60_000, false, false]);
  });

  it("knows the type of its handler's input", () => {
    tool({
      description: "zod",
      input: z.object({ at: z.coerce.date(), many: z.array(z.string()).default([]) }),
      handler: (input) => expectTypeOf(input).toEqualTypeOf<{ at: Date; many: string[] }>(),
    });
    tool({
      description: "JSON Schema",
      input: {
        type: "object",
        properties: {
          kind: { enum: ["a", "b"] },
          count: { type: "integer", default: 1 },
          tags: { type: "array", items: { type: "string" } },
          nested: { type: "object", properties: { x: { type: ["number", "null"] } } },
        },
        required: ["kind"],
      },
      handler: (input) => {
        expectTypeOf(input.kind).toEqualTypeOf<"a" | "b">();
        expectTypeOf(input.count).toEqualTypeOf<number>();
        expectTypeOf(input.tags).toEqualTypeOf<string[] | undefined>();
        expectTypeOf(input.nested?.x).toEqualTypeOf<number | null | undefined>();
      },
    });
  });

  it("takes a union of objects, and schemas that only mean an object", () => {
    const union = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a") }),
      z.object({ kind: z.literal("b"), n: z.number() }),
    ]);
    expect(tool({ description: "x", input: union, handler: () => 1 }).input).toHaveProperty(
      "oneOf",
    );
    const implied = { properties: { a: { type: "string" } } };
    expect(tool({ description: "x", input: implied, handler: () => 1 }).input).toEqual({
      type: "object",
      ...implied,
    });
    const referred = { $ref: "#/$defs/in", $defs: { in: { type: "object" } } };
    expect(tool({ description: "x", input: referred, handler: () => 1 }).input).toEqual(referred);
  });

  it.each<[string, object, string | RegExp]>([
    ["no description", { description: " ", handler: () => 1 }, /A tool needs a description/],
    ["no handler", { description: "x" }, "A tool needs a handler, a function."],
    [
      "a string as input",
      { description: "x", input: z.string(), handler: () => 1 },
      /must be an object/,
    ],
    [
      "a number as schema",
      { description: "x", input: 5, handler: () => 1 },
      /A schema must be an object/,
    ],
    [
      "a schema elsewhere",
      { description: "x", input: { $ref: "https://example.com/s" }, handler: () => 1 },
      'The tool\'s input: The schema refers to "https://example.com/s", which is not part of it. Nothing is fetched: put it under $defs.',
    ],
    [
      "a schema that contains itself",
      { description: "x", input: loop(), handler: () => 1 },
      "The tool's input: The schema cannot be used: it contains itself at properties.self.",
    ],
    [
      "no time",
      { description: "x", timeoutMs: 0, handler: () => 1 },
      /must be a number above 0, not 0/,
    ],
    [
      "too many examples",
      { description: "x", handler: () => 1, examples: Array(21).fill({ input: {} }) },
      "A tool may have 20 examples, not 21.",
    ],
    [
      "an example that is the input itself",
      { description: "x", handler: () => 1, examples: [{ name: "Ann" }] },
      "Example 1 of a tool has no input: write { input: { … } }.",
    ],
    [
      "an example that is no data",
      { description: "x", handler: () => 1, examples: [{ input: { loop: loop() } }] },
      "The input of example 1 of a tool is no JSON, or has more than 65536 bytes.",
    ],
    [
      "a misspelt option",
      { description: "x", handler: () => 1, aproval: true },
      'A tool has no option "aproval"; did you mean approval?',
    ],
    [
      "an option of something else",
      { description: "x", handler: () => 1, when: "noon" },
      'A tool has no option "when"; it has description, input, output, handler, timeoutMs, approval, readOnly, examples',
    ],
    [
      "an approval that is neither yes nor no",
      { description: "x", handler: () => 1, approval: "always" },
      'A tool\'s approval must be true or false, not "always".',
    ],
  ])("refuses %s", (_, options, message) => {
    expect(() => tool(options as never)).toThrow(message);
  });
});

function loop(): object {
  const schema = { type: "object", properties: {} as Record<string, unknown> };
  schema.properties["self"] = schema;
  return schema;
}
