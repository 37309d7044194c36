import { isJsonArray } from "../flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { type Apply, type Check, type Findings, inside, numberOf, type Place } from "./check.ts";
import { canonicalText } from "./is-same.ts";

interface Target {
  readonly place: Place<readonly JsonValue[]>;
  readonly findings: Findings;
  readonly apply: Apply;
}

export function checkArray(check: Check, schema: JsonSchema, target: Target): void {
  const { place, findings } = target;
  const { value, path } = place;
  const minimum = numberOf(schema, "minItems");
  const maximum = numberOf(schema, "maxItems");
  if (minimum !== undefined && value.length < minimum) {
    findings.add(path, minimum === 1 ? "must not be empty" : `must have at least ${minimum} items`);
  }
  if (maximum !== undefined && value.length > maximum) {
    findings.add(path, `must have at most ${maximum} items, not ${value.length}`);
  }
  checkItems(schema, target);
  checkContains(schema, target);
  if (schema["uniqueItems"] === true) checkUnique(check, target);
}

/** `prefixItems` and `items`; older drafts wrote a list of `items` and `additionalItems`. */
function checkItems(schema: JsonSchema, { place, findings, apply }: Target): void {
  const { items, prefixItems, additionalItems } = schema;
  const isOld = isJsonArray(items);
  const list = isOld ? items : prefixItems;
  const prefix = isJsonArray(list) ? list : [];
  const rest = isOld ? additionalItems : items;
  for (const [position, item] of place.value.entries()) {
    const part = position < prefix.length ? prefix[position] : rest;
    if (part === undefined) break;
    findings.addIssues(apply(part, inside(place, position, item)).issues);
    findings.see(position);
  }
}

function checkContains(schema: JsonSchema, { place, findings, apply }: Target): void {
  const { contains } = schema;
  if (contains === undefined) return;
  let count = 0;
  for (const [position, item] of place.value.entries()) {
    if (!apply(contains, inside(place, position, item)).ok) continue;
    count += 1;
    findings.see(position);
  }
  const minimum = numberOf(schema, "minContains") ?? 1;
  const maximum = numberOf(schema, "maxContains") ?? Number.POSITIVE_INFINITY;
  if (count < minimum) findings.add(place.path, `must have at least ${minimum} fitting items`);
  if (count > maximum) findings.add(place.path, `must have at most ${maximum} fitting items`);
}

function checkUnique(check: Check, { place, findings }: Target): void {
  const seen = new Map<string, number>();
  for (const [position, item] of place.value.entries()) {
    const text = canonicalText(check, item, place.depth + 1);
    const first = seen.get(text);
    if (first !== undefined) {
      findings.add([...place.path, position], `must not be the same as item ${first}`);
      return;
    }
    seen.set(text, position);
  }
}
