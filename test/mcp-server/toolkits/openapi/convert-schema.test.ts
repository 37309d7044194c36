import { describe, expect, it } from "vitest";
import {
  type Direction,
  SchemaConverter,
} from "../../../../src/mcp-server/toolkits/openapi/convert-schema.ts";
import type { JsonSchema } from "../../../../src/toolkit-cli/index.ts";

interface Given {
  readonly schemas?: object;
  readonly direction?: Direction;
  readonly isDialect30?: boolean;
}

function convert(schema: unknown, given: Given = {}): JsonSchema {
  const { schemas = {}, direction = "request", isDialect30 = false } = given;
  const root = { components: { schemas } };
  const converter = new SchemaConverter({ root, isDialect30, url: undefined }, direction);
  return converter.withDefinitions(converter.convert(schema));
}

describe("SchemaConverter", () => {
  it("keeps cycles as references into $defs", () => {
    const node = { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } };
    expect(convert({ $ref: "#/components/schemas/Node" }, { schemas: { Node: node } })).toEqual({
      $ref: "#/$defs/Node",
      $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } },
    });
  });

  it("puts single values where they are used, with what stands beside the reference", () => {
    const schemas = { Mood: { type: "string", enum: ["good"], description: "A mood" } };
    const ref = { $ref: "#/components/schemas/Mood", description: "Its mood" };
    const mood = { type: "string", enum: ["good"] };
    expect(convert(ref, { schemas })).toEqual({ ...mood, description: "Its mood" });
    expect(convert(ref, { schemas, isDialect30: true })).toEqual({
      ...mood,
      description: "A mood",
    });
  });

  it("tells names apart that are the same in two places", () => {
    const schemas = {
      A: { type: "object", properties: {} },
      x: { A: { type: "array", items: {} } },
    };
    const all = ["#/components/schemas/A", "#/components/schemas/x/A"].map(($ref) => ({ $ref }));
    expect(convert({ anyOf: all }, { schemas })).toEqual({
      anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/A2" }],
      $defs: { A: { type: "object", properties: {} }, A2: { type: "array", items: {} } },
    });
  });

  it.each([
    "https://elsewhere.example/x.json#/A",
    "../../../etc/passwd",
    "#/components/schemas/None",
    "#/__proto__/x",
    "#/constructor",
    "#anchor",
  ])("takes a reference that leads nowhere for anything: %s", ($ref) => {
    expect(convert({ type: "object", properties: { a: { $ref } } })).toEqual({
      type: "object",
      properties: { a: {} },
    });
  });

  it("ends references that lead to themselves", () => {
    const schemas = {
      A: { $ref: "#/components/schemas/B" },
      B: { $ref: "#/components/schemas/A" },
    };
    expect(convert({ $ref: "#/components/schemas/A" }, { schemas })).toEqual({
      $ref: "#/$defs/A",
      $defs: { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } },
    });
  });

  it("says in JSON Schema what OpenAPI 3.0 says in its own words", () => {
    const convert30 = (schema: unknown): JsonSchema =>
      convert(schema, { isDialect30: true, direction: "response" });
    expect(convert30({ type: "string", nullable: true, enum: ["a"] })).toEqual({
      type: ["string", "null"],
      enum: ["a", null],
    });
    expect(convert30({ allOf: [{ type: "object" }], nullable: true })).toEqual({
      anyOf: [{ allOf: [{ type: "object" }] }, { type: "null" }],
    });
    expect(
      convert30({
        type: "number",
        minimum: 1,
        exclusiveMinimum: true,
        maximum: 2,
        exclusiveMaximum: false,
      }),
    ).toEqual({
      type: "number",
      exclusiveMinimum: 1,
      maximum: 2,
    });
    expect(convert30({ type: "string", example: "x", xml: {}, discriminator: {} })).toEqual({
      type: "string",
      examples: ["x"],
    });
  });

  it("hides from requests what is read-only, and from responses what is write-only", () => {
    const schema = {
      type: "object",
      required: ["id", "password"],
      properties: {
        id: { type: "integer", readOnly: true },
        password: { type: "string", writeOnly: true },
      },
    };
    expect(convert(schema)).toMatchObject({ required: ["password"], properties: { password: {} } });
    expect(convert(schema)["properties"]).not.toHaveProperty("id");
    const response = convert(schema, { direction: "response" });
    expect(response).toEqual({
      type: "object",
      required: ["id"],
      properties: { id: { type: "integer", readOnly: true } },
    });
  });

  it("says defaults in words: sent along, they would change what a caller left alone", () => {
    expect(convert({ type: "string", default: "open", description: "Which" })).toEqual({
      type: "string",
      description: 'Which (default: "open")',
    });
  });

  it("stays small, whatever the document holds", () => {
    const names = Array.from({ length: 200 }, (_, index) => `S${index}`);
    const refs = Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
    );
    const schemas = Object.fromEntries(
      names.map((name) => [name, { type: "object", properties: refs }]),
    );
    const text = JSON.stringify(convert(refs["S0"], { schemas, direction: "response" }));
    expect(text.length).toBeLessThan(50_000);
  });

  it("survives what is no schema, and what never ends", () => {
    const circle: Record<string, unknown> = { type: "object" };
    circle["properties"] = { self: circle };
    expect(JSON.stringify(convert(circle)).length).toBeLessThan(100_000);
    for (const nothing of [null, 1, "x", [], undefined]) expect(convert(nothing)).toEqual({});
    const odd = { type: 5, properties: [1], items: "x", enum: Number.NaN, required: null };
    expect(() => convert(odd)).not.toThrow();
    const proto: unknown = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}');
    expect(Object.keys(convert(proto)["properties"] ?? {})).toEqual(["__proto__"]);
  });
});
