/** Applies a schema to a value: references, types, combinations. */
import { isJsonArray, isJsonObject } from "../flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { type Check, Findings, type Place } from "./check.ts";
import { checkArray } from "./check-array.ts";
import { checkCombinations } from "./check-combinations.ts";
import { checkObject } from "./check-object.ts";
import { checkNumber, checkString } from "./check-scalar.ts";
import { isSame } from "./is-same.ts";
import { sayType, sayValues, typeFits } from "./say-type.ts";

export function checkValue(check: Check, schema: JsonValue, place: Place): Findings {
  check.step(place.depth);
  const findings = new Findings();
  if (schema === false) findings.add(place.path, "is not allowed");
  if (!isJsonObject(schema)) return findings;
  checkIdentity(check, schema, { place, findings });
  // What is of the wrong type has nothing else to be said about.
  if (!findings.ok) return findings;
  followReferences(check, schema, { place, findings });
  checkContents(check, schema, { place, findings });
  const apply = (part: JsonValue, at: Place): Findings => checkValue(check, part, at);
  const isWholeNeeded = check.document.hasUnevaluated;
  checkCombinations(schema, { place, findings, apply, isWholeNeeded });
  if (isWholeNeeded) checkUnevaluated(schema, { place, findings, apply });
  return findings;
}

export interface Target {
  readonly place: Place;
  readonly findings: Findings;
}

function checkIdentity(check: Check, schema: JsonSchema, { place, findings }: Target): void {
  const { type, enum: members } = schema;
  const { value, path } = place;
  if (type !== undefined && !typeFits(type, value)) {
    findings.add(path, `must be ${sayType(type)}, not ${sayType(typeName(value))}`);
    return;
  }
  if (isJsonArray(members) && !members.some((member) => isSame(check, member, place))) {
    findings.add(path, `must be ${sayValues(members)}`);
  }
  const constant = schema["const"];
  if (constant !== undefined && !isSame(check, constant, place)) {
    findings.add(path, `must be ${sayValues([constant])}`);
  }
}

function followReferences(check: Check, schema: JsonSchema, { place, findings }: Target): void {
  for (const target of check.document.targets(schema)) {
    findings.merge(checkValue(check, target, { ...place, depth: place.depth + 1 }));
  }
}

function checkContents(check: Check, schema: JsonSchema, { place, findings }: Target): void {
  const { value, path, depth } = place;
  const apply = (part: JsonValue, at: Place): Findings => checkValue(check, part, at);
  if (typeof value === "string")
    checkString(check, schema, { place: { value, path, depth }, findings });
  if (typeof value === "number") checkNumber(schema, { place: { value, path, depth }, findings });
  if (isJsonArray(value))
    checkArray(check, schema, { place: { value, path, depth }, findings, apply });
  if (isJsonObject(value))
    checkObject(check, schema, { place: { value, path, depth }, findings, apply });
}

function checkUnevaluated(
  schema: JsonSchema,
  { place, findings, apply }: Target & { apply: (part: JsonValue, at: Place) => Findings },
): void {
  const { value } = place;
  const keyword = isJsonArray(value) ? "unevaluatedItems" : "unevaluatedProperties";
  const rest = schema[keyword];
  if (rest === undefined || typeof value !== "object" || value === null) return;
  const entries: [string | number, JsonValue][] = isJsonArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [key, part] of entries) {
    if (findings.hasSeen(key)) continue;
    const inner = apply(rest, { value: part, path: [...place.path, key], depth: place.depth + 1 });
    findings.addIssues(inner.issues);
    findings.see(key);
  }
}

function typeName(value: JsonValue): string {
  if (value === null) return "null";
  if (isJsonArray(value)) return "array";
  return typeof value;
}
