/** Schemas that lead back to themselves before they look at a part of the value: they never end. */
import { isJsonArray, isJsonObject } from "../flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "../json-schema.ts";

interface Document {
  nodes(): Iterable<JsonSchema>;
  targets(node: JsonSchema): readonly JsonValue[];
}

/** Throws a TypeError where there is one. */
export function checkLoops(document: Document): void {
  const finished = new Set<JsonSchema>();
  for (const start of document.nodes()) visit(document, start, finished);
}

/** Depth first without recursion: a schema may be a long chain. */
function visit(document: Document, start: JsonSchema, finished: Set<JsonSchema>): void {
  const around = new Set<JsonSchema>();
  const pending: { node: JsonSchema; isLeft: boolean }[] = [{ node: start, isLeft: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, isLeft } = next;
    if (isLeft) {
      around.delete(node);
      finished.add(node);
      continue;
    }
    if (around.has(node)) throw new TypeError("The schema refers to itself without end.");
    if (finished.has(node)) continue;
    around.add(node);
    pending.push({ node, isLeft: true });
    for (const part of partsForSameValue(document, node))
      pending.push({ node: part, isLeft: false });
  }
}

function partsForSameValue(document: Document, node: JsonSchema): JsonSchema[] {
  const { allOf, anyOf, oneOf, not, if: condition, then, else: otherwise, dependentSchemas } = node;
  const dependent = isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : [];
  const listed = [allOf, anyOf, oneOf].flatMap((list) => (isJsonArray(list) ? list : []));
  const parts = [
    ...document.targets(node),
    ...listed,
    ...dependent,
    not,
    condition,
    then,
    otherwise,
  ];
  return parts.filter(isJsonObject);
}
