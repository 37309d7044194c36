import { isJsonArray, isJsonObject } from "../flags/json-kinds.ts";
import type { JsonValue } from "../json-schema.ts";
import type { Check, Place } from "./check.ts";

/** Whether two values are equal as JSON has it: the order of keys does not matter. */
export function isSame(
  check: Check,
  wanted: JsonValue,
  { value, depth }: Pick<Place, "value" | "depth">,
): boolean {
  check.step(depth);
  if (wanted === value) return true;
  if (isJsonArray(wanted)) {
    if (!isJsonArray(value) || wanted.length !== value.length) return false;
    return wanted.every((item, position) => same(check, item, value[position], depth));
  }
  if (!isJsonObject(wanted) || !isJsonObject(value)) return false;
  const keys = Object.keys(wanted);
  if (keys.length !== Object.keys(value).length) return false;
  return keys.every(
    (key) => Object.hasOwn(value, key) && same(check, wanted[key], value[key], depth),
  );
}

function same(
  check: Check,
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  depth: number,
): boolean {
  if (a === undefined || b === undefined) return a === b;
  return isSame(check, a, { value: b, depth: depth + 1 });
}

/** The same text for the same value, so that many can be compared at once. */
export function canonicalText(check: Check, value: JsonValue, depth: number): string {
  check.step(depth);
  if (isJsonArray(value)) {
    return `[${value.map((item) => canonicalText(check, item, depth + 1)).join()}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, part]) => `${JSON.stringify(key)}:${canonicalText(check, part, depth + 1)}`,
  );
  return `{${entries.toSorted().join()}}`;
}
