import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/toolkit-cli/flags/json-kinds.ts";
import { listFlags } from "../../../src/toolkit-cli/flags/list-flags.ts";
import { readWords } from "../../../src/toolkit-cli/flags/read-words.ts";
import { SchemaDocument } from "../../../src/toolkit-cli/flags/schema-document.ts";
import { writeFlags } from "../../../src/toolkit-cli/flags/write-flags.ts";
import type { JsonSchema, JsonValue } from "../../../src/toolkit-cli/json-schema.ts";
import { builtIn, objectOf, parseFlags } from "./parse-flags.ts";

const name = fc.oneof(
  fc.constantFrom(
    "a",
    "aB",
    "a_b",
    "a-b",
    "a.b",
    "help",
    "json",
    "no-a",
    "__proto__",
    "constructor",
  ),
  fc.string({ minLength: 1, maxLength: 8 }),
);
const text = fc.oneof(
  fc.constantFrom(
    "null",
    "true",
    "5",
    '"5"',
    "[]",
    "[1]",
    "{}",
    "-",
    "@x",
    "@@",
    "--",
    "a,b",
    "a=b",
  ),
  fc.string({ maxLength: 12, unit: "binary" }).map((one) => one.toWellFormed()),
);

/** A schema, and a value that it allows. */
interface Sample {
  readonly schema: JsonSchema;
  readonly value: JsonValue;
}

const scalar: fc.Arbitrary<Sample> = fc.oneof(
  text.map((value) => ({ schema: { type: "string" }, value })),
  fc.integer().map((value) => ({ schema: { type: "integer" }, value })),
  fc.boolean().map((value) => ({ schema: { type: "boolean" }, value })),
  text.map((value) => ({ schema: { type: ["string", "integer", "null"] }, value })),
  fc.integer().map((value) => ({ schema: { type: ["string", "integer", "null"] }, value })),
  text.map((value) => ({ schema: { enum: [value, 5, null] }, value })),
  fc.jsonValue({ maxDepth: 2 }).map((value) => ({ schema: {}, value: toJson(value) })),
);

/** Null-prototype and negative zero are no matter of JSON. */
function toJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value));
}

const sample: fc.Arbitrary<Sample> = fc.letrec<{ any: Sample }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(scalar, { maxLength: 1 }).map(([one]) => ({
      schema: { type: "array", items: one?.schema ?? true },
      value: one === undefined ? [] : [one.value, one.value],
    })),
    fc.dictionary(name, tie("any"), { maxKeys: 4 }).map(objectSample),
    fc.dictionary(name, text, { maxKeys: 3 }).map((value) => ({
      schema: { type: "object", additionalProperties: { type: "string" } },
      value: toJson(value),
    })),
  ),
})).any;

function objectSample(members: Record<string, Sample>): Sample {
  const entries = Object.entries(members);
  const pick = (of: keyof Sample) =>
    JSON.stringify(Object.fromEntries(entries.map(([key, one]) => [key, one[of]])));
  return {
    schema: { ...objectOf({}), properties: JSON.parse(pick("schema")) },
    value: JSON.parse(pick("value")),
  };
}

const object = fc.dictionary(name, sample, { maxKeys: 5 }).map(objectSample);

describe("writeFlags", () => {
  it("writes words that give the same input", async () => {
    const property = fc.asyncProperty(object, async ({ schema, value }) => {
      const words = writeFlags(schema, value as JsonObject);
      const parsed = await parseFlags(schema, words);
      expect(parsed.problems).toEqual([]);
      expect(sorted(parsed.input)).toBe(sorted(value));
    });
    await fc.assert(property, { numRuns: 400 });
  });

  it("turns a switch off by its value where --no-… is another flag", async () => {
    const schema = objectOf({ a: { type: "boolean" }, "no-a": { type: "string" } });
    expect(writeFlags(schema, { a: false, "no-a": "x" })).toEqual(["--a=false", "--no-a", "x"]);
    expect(listFlags(new SchemaDocument(schema)).map((row) => row.off)).toEqual(["--a=false", ""]);
  });

  it("writes what a person would", () => {
    const schema = objectOf({
      title: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      dryRun: { type: "boolean" },
      filter: objectOf({ minAge: { type: "integer" } }),
    });
    expect(
      writeFlags(schema, { title: "a b", tags: ["x", "y"], dryRun: false, filter: { minAge: 3 } }),
    ).toEqual([
      "--title",
      "a b",
      "--tags",
      "x",
      "--tags",
      "y",
      "--no-dry-run",
      "--filter.min-age",
      "3",
    ]);
    expect(writeFlags(schema, { title: "-", tags: ["@x"] })).toEqual([
      "--json",
      '{"title":"-"}',
      "--tags",
      "@@x",
    ]);
  });
});

describe("any schema and any words", () => {
  const keywords = fc.constantFrom(
    "type",
    "properties",
    "items",
    "enum",
    "const",
    "anyOf",
    "allOf",
    "$ref",
    "required",
    "default",
    "additionalProperties",
    "prefixItems",
    "nullable",
  );
  const wild = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(
        "string",
        "object",
        "array",
        true,
        false,
        null,
        5,
        "#",
        "#/properties/a",
      ),
      fc.dictionary(fc.oneof(keywords, name), tie("schema"), { maxKeys: 4 }),
      fc.array(tie("schema"), { maxLength: 3 }),
    ),
  })).schema;

  it("are read without a failure of our own", async () => {
    const words = fc.array(
      fc.oneof(
        text,
        name.map((one) => `--${one}`),
        fc.tuple(name, text).map(([one, value]) => `--${one}=${value}`),
      ),
      { maxLength: 6 },
    );
    const property = fc.asyncProperty(
      fc.dictionary(fc.oneof(keywords, name), wild, { maxKeys: 5 }),
      words,
      async (made, argv) => {
        const schema: JsonSchema = JSON.parse(JSON.stringify({ type: "object", ...made }));
        readWords(schema, builtIn, argv);
        listFlags(new SchemaDocument(schema));
        const { problems } = await parseFlags(schema, argv);
        for (const problem of problems) expect(typeof problem).toBe("string");
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });
});

/** The same text for objects whose keys come in another order. */
function sorted(value: JsonValue): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))
      : one,
  );
}
