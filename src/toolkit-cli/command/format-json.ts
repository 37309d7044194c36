/** JSON as it is printed: one document, short for agents, and still lines where it is a list. */
import { isJsonArray, isJsonObject } from "../flags/json-kinds.ts";
import type { JsonValue } from "../json-schema.ts";

/** On a terminal with indentation, else without blanks; items of a list of objects have a line each. */
export function formatJson(json: JsonValue, isIndented: boolean): string {
  if (isIndented) return JSON.stringify(json, undefined, 2);
  if (isJsonArray(json)) return formatList(json);
  if (!isJsonObject(json)) return JSON.stringify(json);
  const entries = Object.entries(json).map(([key, value]) => {
    return `${JSON.stringify(key)}:${isJsonArray(value) ? formatList(value) : JSON.stringify(value)}`;
  });
  return `{${entries.join(",")}}`;
}

function formatList(list: readonly JsonValue[]): string {
  const hasLines =
    list.length > 1 && list.some((item) => typeof item === "object" && item !== null);
  if (!hasLines) return JSON.stringify(list);
  return `[\n${list.map((item) => JSON.stringify(item)).join(",\n")}\n]`;
}

/** For `--output text`: strings as they are, a list a line each, anything else as JSON. */
export function formatPlain(json: JsonValue): string {
  if (typeof json === "string") return json;
  if (!isJsonArray(json)) return formatJson(json, false);
  return json.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join("\n");
}
