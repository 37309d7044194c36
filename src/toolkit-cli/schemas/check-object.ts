import { isJsonArray, isJsonObject, type JsonObject } from "../flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { nearest } from "../nearest.ts";
import { type Apply, type Check, type Findings, inside, numberOf, type Place } from "./check.ts";

interface Target {
  readonly place: Place<JsonObject>;
  readonly findings: Findings;
  readonly apply: Apply;
}

export function checkObject(check: Check, schema: JsonSchema, target: Target): void {
  checkCount(schema, target);
  checkRequired(schema["required"], target);
  checkDependencies(schema, target);
  checkProperties(check, schema, target);
}

function checkCount(schema: JsonSchema, { place, findings }: Target): void {
  const minimum = numberOf(schema, "minProperties");
  const maximum = numberOf(schema, "maxProperties");
  if (minimum === undefined && maximum === undefined) return;
  const count = Object.keys(place.value).length;
  if (minimum !== undefined && count < minimum) {
    findings.add(place.path, `must have at least ${minimum} properties`);
  }
  if (maximum !== undefined && count > maximum) {
    findings.add(place.path, `must have at most ${maximum} properties, not ${count}`);
  }
}

function checkRequired(required: JsonValue | undefined, { place, findings }: Target): void {
  if (!isJsonArray(required)) return;
  for (const name of required) {
    if (typeof name !== "string" || Object.hasOwn(place.value, name)) continue;
    findings.add([...place.path, name], "is required");
  }
}

/** `dependentRequired`, `dependentSchemas`, and `dependencies`, which was both. */
function checkDependencies(schema: JsonSchema, target: Target): void {
  for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"]) {
    const dependencies = schema[keyword];
    if (!isJsonObject(dependencies)) continue;
    for (const [name, wanted] of Object.entries(dependencies)) {
      if (!Object.hasOwn(target.place.value, name)) continue;
      if (isJsonArray(wanted)) checkRequired(wanted, target);
      else target.findings.merge(target.apply(wanted, deeper(target.place)));
    }
  }
}

function checkProperties(check: Check, schema: JsonSchema, target: Target): void {
  const { place, findings, apply } = target;
  const { properties, patternProperties, additionalProperties, propertyNames } = schema;
  const named = isJsonObject(properties) ? properties : {};
  const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
  for (const [key, value] of Object.entries(place.value)) {
    check.step(place.depth);
    const at = inside(place, key, value);
    const parts = patterns
      .filter(([pattern]) => check.matches(pattern, key))
      .map(([, part]) => part);
    const own = Object.hasOwn(named, key) ? named[key] : undefined;
    if (own !== undefined) parts.push(own);
    if (propertyNames !== undefined && !apply(propertyNames, { ...at, value: key }).ok) {
      findings.add(at.path, "is not an allowed name");
    }
    if (parts.length === 0 && additionalProperties === undefined) continue;
    findings.see(key);
    if (parts.length > 0) {
      for (const part of parts) findings.addIssues(apply(part, at).issues);
    } else if (additionalProperties === false) {
      findings.add(at.path, sayUnknown(key, Object.keys(named)));
    } else {
      findings.addIssues(apply(additionalProperties ?? true, at).issues);
    }
  }
}

function sayUnknown(key: string, names: readonly string[]): string {
  const suggestion = nearest(key, names);
  if (suggestion !== undefined) return `is not known; did you mean ${JSON.stringify(suggestion)}?`;
  if (names.length === 0) return "is not known: nothing is taken here";
  const more = names.length > 12 ? ` and ${names.length - 12} more` : "";
  return `is not known; there is ${names.slice(0, 12).join(", ")}${more}`;
}

function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}
