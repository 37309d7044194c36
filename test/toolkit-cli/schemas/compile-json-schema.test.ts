/* oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema */
import { describe, expect, it } from "vitest";
import type { JsonSchema, JsonValue } from "../../../src/toolkit-cli/json-schema.ts";
import { compileJsonSchema } from "../../../src/toolkit-cli/schemas/compile-json-schema.ts";

const tooMuch = "is too complicated to be checked: send less at a time";

function check(schema: JsonSchema, value: JsonValue): unknown {
  const result = compileJsonSchema(schema)(value);
  if (result.ok) return result.value;
  return result.issues.map(({ path, message }) => [path.join("."), message].join(": "));
}

describe("what is wrong is said in plain words", () => {
  it.each<[JsonSchema, JsonValue, string[]]>([
    [{ type: "string" }, 1, [": must be a string, not a number"]],
    [{ type: ["integer", "null"] }, "x", [": must be a whole number or null, not a string"]],
    [{ type: "integer" }, 1.5, [": must be a whole number, not a number"]],
    [{ enum: ["open", "closed", 3] }, "x", [': must be one of "open", "closed", 3']],
    [{ const: { a: 1 } }, { a: 2 }, [': must be {"a":1}']],
    [{ minLength: 1 }, "", [": must not be empty"]],
    [{ maxLength: 2 }, "😀😀😀", [": must have at most 2 characters, not 3"]],
    [{ pattern: "^a" }, "b", [": must match the pattern ^a"]],
    [
      { minimum: 3, multipleOf: 0.1 },
      2.05,
      [": must be at least 3", ": must be a multiple of 0.1"],
    ],
    [{ exclusiveMinimum: 3, maximum: 2 }, 3, [": must be at most 2", ": must be above 3"]],
    [{ minItems: 1 }, [], [": must not be empty"]],
    [{ items: { type: "number" } }, [1, "x"], ["1: must be a number, not a string"]],
    [
      { uniqueItems: true },
      [{ a: 1, b: 2 }, 5, { b: 2, a: 1 }],
      ["2: must not be the same as item 0"],
    ],
    [{ contains: { const: 1 } }, [2], [": must have at least 1 fitting items"]],
    [{ required: ["a", "b"] }, {}, ["a: is required", "b: is required"]],
    [
      { properties: { title: {} }, additionalProperties: false },
      { titel: 1 },
      ['titel: is not known; did you mean "title"?'],
    ],
    [
      { properties: { a: {}, b: {} }, additionalProperties: false },
      { zzz: 1 },
      ["zzz: is not known; there is a, b"],
    ],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, ["b: is required"]],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ["ab: is not an allowed name"]],
    [{ not: { type: "string" } }, "x", [": is of a kind that is not allowed"]],
    [
      { oneOf: [{ type: "number" }, { minimum: 1 }] },
      5,
      [": fits 2 kinds where it may be only one"],
    ],
    [
      { anyOf: [{ type: "number" }, { type: "boolean" }] },
      "x",
      [": must be a number or true or false"],
    ],
    [
      { if: { required: ["a"] }, then: { required: ["b"] }, else: { required: ["c"] } },
      { a: 1 },
      ["b: is required"],
    ],
    [{ properties: { a: false } }, { a: 1 }, ["a: is not allowed"]],
    [
      { unevaluatedProperties: false, allOf: [{ properties: { a: {} } }] },
      { a: 1, b: 1 },
      ["b: is not allowed"],
    ],
  ])("%j, %j", (schema, value, issues) => {
    expect(check(schema, value)).toEqual(issues);
  });

  it("speaks of the member of a union that was meant", () => {
    const shape = (kind: string, property: string): JsonSchema => ({
      type: "object",
      properties: { kind: { const: kind }, [property]: { type: "number" } },
      required: ["kind", property],
    });
    const schema = {
      anyOf: [shape("circle", "radius"), shape("square", "side"), { type: "string" }],
    };
    expect(check(schema, { kind: "square", side: "3" })).toEqual([
      "side: must be a number, not a string",
    ]);
    expect(check(schema, { kind: "square" })).toEqual(["side: is required"]);
    expect(check(schema, { kind: "hexagon" })).toEqual([": fits none of the 3 kinds it may be"]);
  });

  it("stops after twenty issues", () => {
    expect(check({ items: { type: "number" } }, Array(1000).fill("x"))).toHaveLength(20);
  });
});

describe("defaults", () => {
  it("are filled in at every level that is certain", () => {
    const schema = {
      properties: {
        n: { type: "integer", default: 3 },
        nested: { properties: { deep: { default: [] } }, default: {} },
        list: { type: "array", items: { properties: { x: { default: 1 } } } },
        ref: { $ref: "#/$defs/r" },
      },
      allOf: [{ properties: { part: { default: "p" } } }],
      $defs: { r: { default: "r" } },
    };
    expect(check(schema, { list: [{}, { x: 2 }] })).toEqual({
      list: [{ x: 1 }, { x: 2 }],
      n: 3,
      nested: { deep: [] },
      part: "p",
      ref: "r",
    });
  });

  it("that break their own schema are left out, and the value itself stays as it was", () => {
    const value = { a: {} };
    expect(
      check(
        {
          properties: {
            n: { type: "string", default: null },
            a: { properties: { b: { default: 1 } } },
          },
        },
        value,
      ),
    ).toEqual({ a: { b: 1 } });
    expect(value).toEqual({ a: {} });
  });

  it("without end are refused", () => {
    const schema = {
      $ref: "#/$defs/a",
      $defs: { a: { properties: { next: { $ref: "#/$defs/a", default: {} } } } },
    };
    expect(check(schema, {})).toEqual([`: ${tooMuch}`]);
  });
});

describe("older drafts and odd schemas", () => {
  it("are read as they were meant", () => {
    expect(check({ items: [{ type: "number" }], additionalItems: false }, [1, 2])).toEqual([
      "1: is not allowed",
    ]);
    expect(check({ minimum: 3, exclusiveMinimum: true }, 3)).toEqual([": must be above 3"]);
    expect(check({ dependencies: { a: ["b"], c: { required: ["d"] } } }, { a: 1, c: 1 })).toEqual([
      "b: is required",
      "d: is required",
    ]);
    expect(
      check({ definitions: { d: { type: "number" } }, $ref: "#/definitions/d" }, "x"),
    ).toHaveLength(1);
    expect(
      check({ $defs: { n: { $anchor: "num", type: "number" } }, $ref: "#num" }, "x"),
    ).toHaveLength(1);
    expect(
      check(
        { $id: "https://x/s", $defs: { n: { $id: "n", type: "number" } }, $ref: "https://x/n" },
        "x",
      ),
    ).toHaveLength(1);
    expect(
      check(
        { properties: { a: { $ref: "#/properties/a~1b%25" }, "a/b%": { type: "number" } } },
        { a: "x" },
      ),
    ).toHaveLength(1);
  });

  it("restrict nothing by what is no keyword, no schema or no regular expression of ours", () => {
    expect(check({ pattern: "(?i)x", type: "string" }, "y")).toBe("y");
    expect(check({ minLength: "3", required: "a", properties: 5, anyOf: {}, items: 3 }, "y")).toBe(
      "y",
    );
    expect(check({ required: [1, null], properties: { a: 7 } }, { a: 1 })).toEqual({ a: 1 });
    expect(check({ const: { $ref: "https://nowhere" } }, { $ref: "https://nowhere" })).toEqual({
      $ref: "https://nowhere",
    });
  });

  it("treats names of objects' own as names like any other", () => {
    const value = JSON.parse('{"__proto__": {"x": "y"}, "constructor": 1}') as JsonValue;
    expect(check({ required: ["toString"] }, {})).toEqual(["toString: is required"]);
    expect(check({ properties: {}, additionalProperties: false }, value)).toHaveLength(2);
    const kept = check({ properties: { a: { default: 1 } } }, value) as object;
    expect(Object.keys(kept)).toEqual(["__proto__", "constructor", "a"]);
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });
});

describe("hostile schemas and values", () => {
  it("refuses references to elsewhere, to nowhere and without end, when it reads them", () => {
    for (const $ref of [
      "https://example.com/x",
      "file:///etc/passwd",
      "other.json",
      "#/nope",
      "#nope",
      "http://[",
    ]) {
      expect(() => compileJsonSchema({ properties: { a: { $ref } } })).toThrow(
        /refers to .*not part of it/,
      );
    }
    const endless = [
      { $ref: "#" },
      {
        $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } },
        $ref: "#/$defs/a",
      },
      { anyOf: [{ type: "string" }, { not: { $ref: "#" } }] },
    ];
    for (const schema of endless) {
      expect(() => compileJsonSchema(schema)).toThrow("The schema refers to itself without end.");
    }
  });

  it("follows references in circles that values end", () => {
    const tree = {
      properties: { next: { $ref: "#" }, n: { type: "number" } },
      additionalProperties: false,
    };
    expect(check(tree, { next: { next: { n: "x" } } })).toEqual([
      "next.next.n: must be a number, not a string",
    ]);
  });

  it.each<[string, JsonSchema, JsonValue]>([
    ["expressions that backtrack", { pattern: "^(a+)+$" }, `${"a".repeat(60)}!`],
    ["names that backtrack", { patternProperties: { "(x|xx)+y": {} } }, { ["x".repeat(80)]: 1 }],
    ["unions that double", doubling(40), "x"],
    [
      "values without a bottom",
      { $ref: "#/$defs/l", $defs: { l: { items: { $ref: "#/$defs/l" } } } },
      deep(100_000),
    ],
    ["constants without a bottom", { const: [] }, deep(100_000)],
    [
      "very many items",
      { items: { anyOf: [{ type: "string" }, { type: "number" }] } },
      Array(300_000).fill(1),
    ],
  ])("gives up on %s", (_, schema, value) => {
    const result = check(schema, value);
    expect([[`: ${tooMuch}`], [": must be []"]]).toContainEqual(result);
  });

  it("copes with many properties and many equal items", () => {
    const names = Array.from({ length: 500 }, (_, n) => `p${n}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: "number" }]));
    const value = Object.fromEntries(names.map((name) => [name, 1]));
    expect(check({ properties, required: names, additionalProperties: false }, value)).toEqual(
      value,
    );
    const items = Array.from({ length: 5000 }, (_, n) => ({ n }));
    expect(check({ uniqueItems: true }, items)).toEqual(items);
  });
});

function doubling(levels: number): JsonSchema {
  const $defs: Record<string, JsonSchema> = { [`a${levels}`]: { type: "number" } };
  for (let level = 0; level < levels; level += 1) {
    const next = { $ref: `#/$defs/a${level + 1}` };
    $defs[`a${level}`] = { anyOf: [next, next] };
  }
  return { $defs, $ref: "#/$defs/a0" };
}

function deep(levels: number): JsonValue {
  let value: JsonValue = [];
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
