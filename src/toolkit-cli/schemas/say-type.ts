/** Types and values of JSON in plain words. */
import { isJsonArray, isJsonObject } from "../flags/json-kinds.ts";
import type { JsonValue } from "../json-schema.ts";

const WORDS: ReadonlyMap<string, string> = new Map([
  ["string", "a string"],
  ["number", "a number"],
  ["integer", "a whole number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
  ["null", "null"],
]);

const VALUES_SHOWN = 12;

/** "a string or a number". */
export function sayType(type: JsonValue): string {
  const names = isJsonArray(type) ? type : [type];
  const said = names.map((name) => (typeof name === "string" ? (WORDS.get(name) ?? name) : "?"));
  return said.join(" or ");
}

/** `"a"`, or `one of "a", "b"`. */
export function sayValues(values: readonly JsonValue[]): string {
  const shown = values.slice(0, VALUES_SHOWN).map((value) => JSON.stringify(value).slice(0, 100));
  const more = values.length > VALUES_SHOWN ? ` and ${values.length - VALUES_SHOWN} more` : "";
  return values.length === 1 ? (shown[0] ?? "") : `one of ${shown.join(", ")}${more}`;
}

/** Unknown types fit nothing. */
export function typeFits(type: JsonValue, value: JsonValue): boolean {
  if (isJsonArray(type)) return type.some((member) => typeFits(member, value));
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return isJsonArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
