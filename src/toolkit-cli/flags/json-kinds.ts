import type { JsonValue } from "../json-schema.ts";

export type JsonObject = { readonly [key: string]: JsonValue };
type JsonKind = "string" | "number" | "boolean" | "null" | "array" | "object";

/** Deeper values are refused: whoever walks one may do so by recursion. */
const DEPTH_LIMIT = 200;

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
  if (nestingOf(text) > DEPTH_LIMIT) return { problem: "is nested too deeply" };
  try {
    const value: JsonValue = JSON.parse(text);
    return { value };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { problem: `is not valid JSON: ${words.slice(0, 200)}` };
  }
}

/** How deep brackets nest, those in strings not counted. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isInString) {
      if (unit === 0x5c) at += 1;
      else if (unit === 0x22) isInString = false;
    } else if (unit === 0x22) isInString = true;
    else if (unit === 0x5b || unit === 0x7b) deepest = Math.max(deepest, (depth += 1));
    else if (unit === 0x5d || unit === 0x7d) depth -= 1;
  }
  return deepest;
}
