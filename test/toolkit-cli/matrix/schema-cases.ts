/** Schemas of every kind with inputs for each: what goes in as flags, as JSON and from code. */
import type { JsonObject } from "../../../src/toolkit-cli/flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "../../../src/toolkit-cli/json-schema.ts";

export interface SchemaCase {
  /** The tool's name. */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly inputs: readonly JsonObject[];
}

interface Kind {
  readonly schema: JsonSchema;
  readonly values: readonly JsonValue[];
}

const texts = [
  "plain",
  "two words",
  "",
  " ",
  "--help",
  "--",
  "-",
  "-x",
  "@/etc/passwd",
  "@@",
  "$(id) `id` $HOME ; rm -rf / #",
  "it's \"quoted\" \\ and 'so'",
  "line\nbreak\ttab",
  "naïve 名前 🦀",
  "null",
  "true",
  "5",
  '"5"',
  "[1,2]",
  '{"a":1}',
  "a,b",
  "a=b",
];

const kinds: Readonly<Record<string, Kind>> = {
  string: { schema: { type: "string" }, values: texts },
  integer: { schema: { type: "integer" }, values: [0, -5, 42, Number.MAX_SAFE_INTEGER] },
  number: { schema: { type: "number" }, values: [0.5, -1e-7, 3, 1e21] },
  boolean: { schema: { type: "boolean" }, values: [true, false] },
  choice: { schema: { enum: ["open", "closed", "in review"] }, values: ["open", "in review"] },
  mixed: { schema: { enum: [1, "two", null, true] }, values: [1, "two", null, true] },
  constant: { schema: { const: "only" }, values: ["only"] },
  nullable: { schema: { type: ["string", "null"] }, values: [null, "x", "null", '"null"'] },
  union: {
    schema: { anyOf: [{ type: "integer" }, { type: "string" }, { type: "boolean" }] },
    values: [7, "7", "seven", true, "true", "007", '"7"'],
  },
  object: {
    schema: {
      type: "object",
      properties: { minAge: { type: "integer" }, "full name": { type: "string" } },
      required: ["minAge"],
      additionalProperties: false,
    },
    values: [{ minAge: 3 }, { minAge: 0, "full name": "a b" }],
  },
  tuple: {
    schema: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false },
    values: [
      ["5", 5],
      ["-", 0],
    ],
  },
  any: { schema: {}, values: [1, "x", "1", null, [1, "a"], { a: [] }, "{"] },
};

/** Where a value of some kind can stand. */
const places: Readonly<Record<string, (kind: Kind) => Kind>> = {
  plain: ({ schema, values }) => inProperty("value", schema, values),
  camel: ({ schema, values }) => inProperty("maxRetryCount", schema, values.slice(0, 4)),
  builtin: ({ schema, values }) => inProperty("output", schema, values.slice(0, 4)),
  listed: ({ schema, values }) =>
    inProperty("items", { type: "array", items: schema }, [
      [],
      ...values.slice(0, 6).map((value) => [value]),
      values.slice(0, 9),
    ]),
  nested: ({ schema, values }) =>
    inProperty("outer", objectOf({ inner: objectOf({ deep: schema }) }), [
      {},
      ...values.slice(0, 4).map((deep) => ({ inner: { deep } })),
    ]),
  record: ({ schema, values }) =>
    inProperty("labels", { type: "object", additionalProperties: schema }, [
      {},
      ...values.slice(0, 3).map((value) => ({ "a.b": value, __proto: value })),
    ]),
  optional: ({ schema, values }) =>
    inProperty("maybe", { anyOf: [schema, { type: "null" }] }, [...values.slice(0, 5), null]),
  referred: ({ schema, values }) => {
    const { schema: object, values: inputs } = inProperty("node", { $ref: "#/$defs/node" }, [
      ...values.slice(0, 3).map((value) => ({ value, next: { value } })),
    ]);
    const node = objectOf({ value: schema, next: { $ref: "#/$defs/node" } });
    return { schema: { ...object, $defs: { node } }, values: inputs };
  },
  joined: ({ schema, values }) => ({
    schema: {
      type: "object",
      allOf: [
        { properties: { a: schema } },
        { properties: { b: { type: "integer" } }, required: ["b"] },
      ],
    },
    values: values.slice(0, 3).map((a) => ({ a, b: 1 })),
  }),
  defaulted: ({ schema, values }) => ({
    schema: objectOf({
      value: { ...schema, default: values[0] ?? null },
      other: { type: "string" },
    }),
    values: [{ other: "x" }, ...values.slice(0, 2).map((value) => ({ value }))],
  }),
};

function objectOf(properties: Readonly<Record<string, JsonValue>>): JsonSchema {
  return { type: "object", properties, additionalProperties: false };
}

function inProperty(name: string, schema: JsonSchema, values: readonly JsonValue[]): Kind {
  return {
    schema: { ...objectOf({ [name]: schema }), required: [name] },
    values: values.map((value) => ({ [name]: value })),
  };
}

export const schemaCases: readonly SchemaCase[] = Object.entries(kinds).flatMap(([kind, of]) =>
  Object.entries(places).map(([place, put]) => {
    const { schema, values } = put(of);
    return { name: `${place}-${kind}`, schema, inputs: values as JsonObject[] };
  }),
);
