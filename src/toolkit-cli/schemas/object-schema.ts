/** A tool's input is an object: flags, `--json` and declarations are made from its properties. */
import { isJsonArray, isJsonObject } from "../flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { findLocalRef } from "./local-ref.ts";

const DEPTH_LIMIT = 20;

/** The schema, with `type: "object"` where it only means it. Throws a TypeError where it is something else. */
export function asObjectSchema(schema: JsonSchema): JsonSchema {
  if (schema["type"] === "object") return schema;
  if (Object.keys(schema).length === 0 || "properties" in schema) {
    if (schema["type"] === undefined) return { type: "object", ...schema };
  }
  if (takesObjects(schema, schema, 0)) return schema;
  throw new TypeError("A tool's input must be an object with named properties.");
}

function takesObjects(schema: JsonValue | undefined, root: JsonSchema, depth: number): boolean {
  if (!isJsonObject(schema) || depth > DEPTH_LIMIT) return false;
  const { type, $ref, allOf, anyOf, oneOf } = schema;
  if (type !== undefined) return type === "object";
  if ("properties" in schema) return true;
  if (typeof $ref === "string") return takesObjects(findLocalRef(root, $ref), root, depth + 1);
  if (isJsonArray(allOf)) return allOf.some((part) => takesObjects(part, root, depth + 1));
  const members = isJsonArray(anyOf) ? anyOf : oneOf;
  if (!isJsonArray(members) || members.length === 0) return false;
  return members.every((member) => takesObjects(member, root, depth + 1));
}
