/** A JSON Schema from outside, copied and bounded before anything looks at it. */
import { isJsonObject } from "../flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { toPlainJson } from "../plain-json.ts";

/** GitHub's whole catalogue of 114 tools is 100 KiB. */
export const SCHEMA_LIMIT_BYTES = 1024 * 1024;

/** Throws a TypeError where it is no JSON, too large or too deep. */
export function copyJsonSchema(schema: unknown): JsonSchema {
  const json = copy(schema);
  if (!isJsonObject(json)) {
    throw new TypeError("A schema must be an object: zod, a Standard Schema or JSON Schema.");
  }
  const { $schema: _, ...rest } = json;
  return rest;
}

function copy(schema: unknown): JsonValue {
  try {
    return toPlainJson(schema, SCHEMA_LIMIT_BYTES);
  } catch (error) {
    const said = error instanceof Error ? error.message : "";
    const reason = said.replace("The tool's result", "it").replace(/ Ask for less.*$/, "");
    throw new TypeError(`The schema cannot be used: ${reason}`, { cause: error });
  }
}
