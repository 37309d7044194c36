/** Our check of JSON Schema beside ajv's, on generated schemas and values. */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonSchema, JsonValue } from "../../../src/toolkit-cli/json-schema.ts";
import { compileJsonSchema } from "../../../src/toolkit-cli/schemas/compile-json-schema.ts";

const small = fc.integer({ min: 0, max: 3 });
const names = fc.constantFrom("a", "b", "c");
const scalar = fc.constantFrom<JsonValue>(null, true, 0, 1, 2.5, -3, "", "a", "ab", "😀");

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const type = fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object");

/**
 * Values for keywords that apply schemas. Not unevaluatedItems and -Properties: ajv counts what members of a
 * oneOf that did not fit have seen. Not contains: beside prefixItems, ajv finds that an empty list has it.
 */
function applicators(schema: fc.Arbitrary<JsonValue>): Record<string, fc.Arbitrary<JsonValue>> {
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  const byName = fc.dictionary(names, schema, { maxKeys: 2, noNullPrototype: true });
  const keywords = "items additionalProperties propertyNames not if then else";
  return {
    ...Object.fromEntries(keywords.split(" ").map((keyword) => [keyword, schema])),
    ...Object.fromEntries(
      ["allOf", "anyOf", "oneOf", "prefixItems"].map((keyword) => [keyword, list]),
    ),
    properties: byName,
    dependentSchemas: byName,
    patternProperties: fc.dictionary(fc.constantFrom("^a", "b|c"), schema, {
      noNullPrototype: true,
    }),
    $ref: fc.constantFrom("#/$defs/x", "#/$defs/y"),
  };
}

const asserting: Record<string, fc.Arbitrary<JsonValue>> = {
  type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
  enum: fc.array(value, { minLength: 1, maxLength: 3 }),
  const: value,
  ...Object.fromEntries(
    "minLength maxLength minItems maxItems minProperties maxProperties minimum maximum exclusiveMinimum exclusiveMaximum"
      .split(" ")
      .map((keyword) => [keyword, small]),
  ),
  multipleOf: fc.constantFrom(1, 0.5, 2),
  uniqueItems: fc.boolean(),
  pattern: fc.constantFrom("^a", "b$", "."),
  required: fc.uniqueArray(names, { maxLength: 2 }),
  dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), {
    maxKeys: 2,
    noNullPrototype: true,
  }),
};

const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.boolean(),
    keywordsOf(asserting),
    keywordsOf({ ...asserting, ...applicators(tie("schema")) }),
  ),
}));

/** One to three keywords. */
function keywordsOf(keywords: Record<string, fc.Arbitrary<JsonValue>>): fc.Arbitrary<JsonSchema> {
  return fc
    .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 3 })
    .chain((chosen) => {
      const parts = chosen.map((keyword) => [keyword, keywords[keyword] ?? fc.constant(true)]);
      return fc.record(Object.fromEntries(parts) as Record<string, fc.Arbitrary<JsonValue>>);
    });
}

it("finds valid what ajv finds valid, and nothing else", () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  const part = fc.record({ x: keywordsOf(asserting), y: keywordsOf(asserting) });
  let valid = 0;
  fc.assert(
    fc.property(
      keywordsOf({ ...asserting, ...applicators(schema) }),
      part,
      value,
      (root, $defs, tested) => {
        const whole = { ...root, $defs };
        const expected = ajv.compile(whole)(tested);
        valid += expected ? 1 : 0;
        const message = `${JSON.stringify(whole)} and ${JSON.stringify(tested)}`;
        expect(compileJsonSchema(whole)(tested).ok, message).toBe(expected);
      },
    ),
    { numRuns: 500 },
  );
  expect(valid).toBeGreaterThan(100);
});
