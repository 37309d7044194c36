/** Results as JSON, properties, CSV and TSV. */
import { formatWith, toText } from "../jq/formats.ts";
import { JsonWriter } from "../jq/json-writer.ts";
import { isArray, isObject, type Value } from "../jq/value.ts";

export function renderJson(value: Value, indent: number, isUnwrapped: boolean): string {
  if (isUnwrapped && typeof value === "string") return `${value}\n`;
  const style = indent === 0 ? {} : { indent: " ".repeat(indent) };
  return `${new JsonWriter(style).write(value)}\n`;
}

/** `a.b.0 = value`, a line each. */
export function renderProperties(value: Value): string {
  const lines: string[] = [];
  addProperties(value, [], lines);
  return lines.map((line) => `${line}\n`).join("");
}

function addProperties(value: Value, path: readonly string[], lines: string[]): void {
  if (isArray(value)) {
    for (const [at, item] of value.entries()) addProperties(item, [...path, String(at)], lines);
  } else if (isObject(value)) {
    for (const [key, item] of value) addProperties(item, [...path, key], lines);
  } else {
    const text = value === null ? "" : toText(value);
    lines.push(path.length === 0 ? text : `${path.join(".")} = ${text}`);
  }
}

/** Rows of an array of arrays, or of objects with their keys first. */
export function renderTable(value: Value, separator: "," | "\t"): string {
  const items = isArray(value) ? value : [value];
  const objects = items.filter(isObject);
  if (objects.length === 0 || objects.length < items.length) {
    const rows = items.every(isArray) ? items.filter(isArray) : [items];
    return rows.map((row) => renderRow(row, separator)).join("");
  }
  const keys = [...new Set(objects.flatMap((one) => [...one.keys()]))];
  const rows = objects.map((one) => keys.map((key) => one.get(key) ?? null));
  return [keys, ...rows].map((row) => renderRow(row, separator)).join("");
}

function renderRow(row: readonly Value[], separator: "," | "\t"): string {
  const cells = row.map((cell) => {
    const text = cell === null ? "" : toText(cell);
    const isSpecial = text.includes(separator) || /["\r\n]|^\s/.test(text);
    return isSpecial ? formatWith("csv", [text]) : text;
  });
  return `${cells.join(separator)}\n`;
}
