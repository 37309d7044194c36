/** Puts a schema's defaults where a value has nothing. */

import { isJsonArray, isJsonObject, type JsonObject } from "../flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import type { Check } from "./check.ts";
import { checkValue } from "./check-value.ts";

interface Place {
  readonly value: JsonValue;
  readonly depth: number;
}

/**
 * The value with the defaults of missing properties, at every level that `properties`, `items`, `$ref` and
 * `allOf` lead to. Not inside `anyOf` and its like: which member is meant is not known yet.
 */
export function fillDefaults(check: Check, schema: JsonValue | undefined, place: Place): JsonValue {
  check.step(place.depth);
  if (!isJsonObject(schema)) return place.value;
  let { value } = place;
  const depth = place.depth + 1;
  for (const part of sameValueParts(check, schema))
    value = fillDefaults(check, part, { value, depth });
  if (isJsonObject(value)) return fillProperties(check, schema, { value, depth });
  if (isJsonArray(value) && isJsonObject(schema["items"])) {
    return value.map((item) => fillDefaults(check, schema["items"], { value: item, depth }));
  }
  return value;
}

function sameValueParts(check: Check, schema: JsonSchema): readonly JsonValue[] {
  const { allOf } = schema;
  return [...check.document.targets(schema), ...(isJsonArray(allOf) ? allOf : [])];
}

function fillProperties(
  check: Check,
  schema: JsonSchema,
  { value, depth }: { value: JsonObject; depth: number },
): JsonValue {
  const { properties, additionalProperties } = schema;
  const named = isJsonObject(properties) ? properties : {};
  if (!isJsonObject(properties) && !isJsonObject(additionalProperties)) return value;
  const filled = new Map<string, JsonValue>();
  for (const [key, part] of Object.entries(value)) {
    const own = Object.hasOwn(named, key) ? named[key] : additionalProperties;
    filled.set(key, fillDefaults(check, own, { value: part, depth }));
  }
  for (const [key, part] of Object.entries(named)) {
    const missing = filled.has(key) ? undefined : findDefault(check, part, depth);
    if (missing === undefined) continue;
    const whole = fillDefaults(check, part, { value: missing, depth });
    // A default that breaks its own schema helps nobody: the property stays missing.
    if (checkValue(check, part, { value: whole, path: [], depth }).ok) filled.set(key, whole);
  }
  return Object.fromEntries(filled);
}

function findDefault(check: Check, schema: JsonValue, depth: number): JsonValue | undefined {
  check.step(depth);
  if (!isJsonObject(schema)) return undefined;
  if (schema["default"] !== undefined) return schema["default"];
  for (const part of sameValueParts(check, schema)) {
    const found = findDefault(check, part, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
