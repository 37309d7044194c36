import { JsonLimitError, parseBoundedJson, RESULT_JSON } from "../bounded-json.ts";
import type { JsonValue } from "../json-schema.ts";

export type JsonObject = { readonly [key: string]: JsonValue };
type JsonKind = "string" | "number" | "boolean" | "null" | "array" | "object";

export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function kindOf(value: JsonValue): JsonKind {
  if (value === null) return "null";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return isJsonArray(value) ? "array" : "object";
}

/** An object's own property: what `toString` or `__proto__` would inherit is not there. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Parsed JSON, or what is wrong with it in a few words. */
export function parseJson(
  text: string,
): { readonly value: JsonValue } | { readonly problem: string } {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came out of JSON.parse
    return { value: parseBoundedJson(text, RESULT_JSON) as JsonValue };
  } catch (error) {
    if (error instanceof JsonLimitError) return { problem: error.message.replace(/^It |\.$/g, "") };
    const words = error instanceof Error ? error.message : String(error);
    return { problem: `is not valid JSON: ${words.slice(0, 200)}` };
  }
}
