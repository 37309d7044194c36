/** zod 3, with and without Standard Schema (which it has since 3.24). */
import { createRequire } from "node:module";
import type { JsonValue } from "../json-schema.ts";
import type { Validation } from "../toolkit.ts";
import { ISSUES_LIMIT, inPlainWords } from "./standard-schema.ts";

export interface Zod3Schema<Output = unknown> {
  readonly _def: { readonly typeName?: unknown };
  readonly _output: Output;
  safeParseAsync(value: unknown): Promise<Zod3Result>;
}

type Zod3Result =
  | { readonly success: true; readonly data: unknown }
  | {
      readonly success: false;
      readonly error: {
        readonly issues: readonly { path: readonly (string | number)[]; message: string }[];
      };
    };

export function isZod3(schema: unknown): schema is Zod3Schema {
  if (typeof schema !== "object" || schema === null || "_zod" in schema) return false;
  if (!("_def" in schema) || !("safeParseAsync" in schema)) return false;
  const definition = schema._def;
  return typeof definition === "object" && definition !== null && "typeName" in definition;
}

export function zod3Validation(schema: Zod3Schema): (value: JsonValue) => Promise<Validation> {
  return async (value) => {
    const result = await schema.safeParseAsync(value);
    if (result.success) return { ok: true, value: result.data };
    const issues = result.error.issues.slice(0, ISSUES_LIMIT);
    return {
      ok: false,
      issues: issues.map(({ path, message }) => ({ path, message: inPlainWords(message) })),
    };
  };
}

/** Throws a TypeError where the schema cannot be said in JSON Schema. */
export function zod3ToJsonSchema(schema: Zod3Schema): unknown {
  const require = createRequire(import.meta.url);
  const module: unknown = require("zod-to-json-schema");
  const convert: unknown = Reflect.get(Object(module), "zodToJsonSchema");
  if (typeof convert !== "function") throw new TypeError("zod-to-json-schema is not what it was.");
  return Reflect.apply(convert, undefined, [
    schema,
    {
      target: "jsonSchema7",
      $refStrategy: "root",
      pipeStrategy: "input",
      dateStrategy: "format:date-time",
    },
  ]);
}
