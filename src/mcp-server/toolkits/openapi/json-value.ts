import type { JsonValue } from "../../../toolkit-cli/index.ts";

const DEPTH = 16;

/** Plain data out of a document: what JSON cannot say, or goes deeper than anybody looks, is null. */
export function toJsonValue(value: unknown, depth = 0): JsonValue {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null || depth > DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => toJsonValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, toJsonValue(item, depth + 1)]),
  );
}
