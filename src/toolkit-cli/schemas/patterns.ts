/** Regular expressions of schemas, which may take time without end. */
import type { JsonValue } from "../json-schema.ts";
import type { SchemaDocument } from "./schema-document.ts";

/** Whether any of the schema's patterns may take more than a moment for some text. */
export function hasRiskyPattern(document: SchemaDocument): boolean {
  return [...document.nodes()].some((node) =>
    patternsOf(node).some((pattern) => !isSimple(pattern)),
  );
}

/** undefined where JavaScript cannot read it: a pattern of another dialect restricts nothing. */
export function compilePattern(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Anchored, without groups or alternatives, and with one unbounded repetition: time grows with the text. */
function isSimple(pattern: string): boolean {
  if (!pattern.startsWith("^") || /[()|]/.test(pattern)) return false;
  return (pattern.match(/[*+]|\{\d*,\d*\}/g) ?? []).length <= 1;
}

function patternsOf(node: { readonly [keyword: string]: JsonValue }): string[] {
  const { pattern, patternProperties } = node;
  const keys =
    typeof patternProperties === "object" && patternProperties !== null
      ? Object.keys(patternProperties)
      : [];
  return typeof pattern === "string" ? [pattern, ...keys] : keys;
}
