/** A schema of any kind that people write, as the two things a tool needs of it. */
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import type { Validation } from "../toolkit.ts";
import { compileJsonSchema } from "./compile-json-schema.ts";
import { copyJsonSchema } from "./copy-json-schema.ts";
import type { StandardSchema } from "./standard-schema.ts";
import { standardValidation } from "./standard-schema.ts";
import { standardToJsonSchema } from "./standard-to-json-schema.ts";
import { isZod3, type Zod3Schema, zod3ToJsonSchema, zod3Validation } from "./zod-3.ts";

/** zod 4, zod 3, any Standard Schema that can say what it is in JSON Schema, or JSON Schema itself. */
export type AnySchema = StandardSchema | Zod3Schema | JsonSchemaLiteral;

/** JSON Schema as people write it, `as const` or not. */
export type JsonSchemaLiteral = { readonly [keyword: string]: unknown };

export interface ReadSchema {
  readonly json: JsonSchema;
  readonly validate: (value: JsonValue) => Promise<Validation>;
}

/** `side`: a schema that transforms takes one thing and gives another. Throws a TypeError that says why not. */
export function readSchema(schema: unknown, side: "input" | "output"): ReadSchema {
  if (isStandard(schema)) {
    const json = isZod3(schema) ? zod3ToJsonSchema(schema) : standardToJsonSchema(schema, side);
    return { json: copyJsonSchema(json), validate: standardValidation(schema) };
  }
  if (isZod3(schema)) {
    return { json: copyJsonSchema(zod3ToJsonSchema(schema)), validate: zod3Validation(schema) };
  }
  const json = copyJsonSchema(schema);
  const check = compileJsonSchema(json);
  return { json, validate: async (value) => check(value) };
}

function isStandard(schema: unknown): schema is StandardSchema {
  if (schema === null || (typeof schema !== "object" && typeof schema !== "function")) return false;
  if (!("~standard" in schema)) return false;
  const standard = schema["~standard"];
  return typeof standard === "object" && standard !== null && "validate" in standard;
}
