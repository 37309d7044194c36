/** An input as audits and approvals may show it: secrets out, long parts cut. Never throws. */
import { cutText } from "./describe-failure.ts";
import { isJsonArray, isJsonObject } from "./flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "./json-schema.ts";
import { findLocalRef } from "./schemas/local-ref.ts";
import { hideSecrets, isSecretName, REDACTED } from "./secrets.ts";

const TEXT_CHARACTERS = 256;
const PARTS_LIMIT = 100;
const DEPTH_LIMIT = 20;
/** Schemas that may apply to one value; more are not looked at and the value is kept back. */
const SCHEMAS_LIMIT = 200;

/**
 * Kept back is what the schema calls secret (`writeOnly`, `format: "password"`, `secret` or `x-secret`, in any
 * member of a union), what has the name of a secret, and text that looks like one.
 */
export function redactInput(schema: JsonSchema, input: JsonValue): JsonValue {
  return redact({ root: schema, schemas: [schema] }, input, 0);
}

interface Known {
  readonly root: JsonSchema;
  /** Every schema that may apply to the value. */
  readonly schemas: readonly JsonValue[];
}

function redact(known: Known, value: JsonValue, depth: number): JsonValue {
  const schemas = expand(known);
  if (schemas === undefined || schemas.some(isSecret)) return REDACTED;
  if (typeof value === "string") {
    return cutText(hideSecrets(value), TEXT_CHARACTERS);
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_LIMIT) return "…";
  const { root } = known;
  return isJsonArray(value)
    ? redactItems({ root, schemas }, value, depth)
    : redactProperties({ root, schemas }, value, depth);
}

function redactItems(
  { root, schemas }: Known,
  items: readonly JsonValue[],
  depth: number,
): JsonValue {
  const shown = items.slice(0, PARTS_LIMIT).map((item, position) => {
    const parts = schemas.flatMap((schema) => itemSchemas(schema, position));
    return redact({ root, schemas: parts }, item, depth + 1);
  });
  return items.length > PARTS_LIMIT ? [...shown, `… (${items.length - PARTS_LIMIT} more)`] : shown;
}

function redactProperties(
  { root, schemas }: Known,
  value: { readonly [key: string]: JsonValue },
  depth: number,
): JsonValue {
  const entries = Object.entries(value);
  const isNamedSecret = hasSecretLabel(entries);
  const shown = entries.slice(0, PARTS_LIMIT).map(([key, part]): [string, JsonValue] => {
    const name = cutText(key, TEXT_CHARACTERS);
    if (isSecretName(key, part)) return [name, REDACTED];
    if (isNamedSecret && key === "value") return [name, REDACTED];
    const parts = schemas.flatMap((schema) => propertySchemas(schema, key));
    return [name, redact({ root, schemas: parts }, part, depth + 1)];
  });
  if (entries.length > PARTS_LIMIT) shown.push(["…", `${entries.length - PARTS_LIMIT} more`]);
  return Object.fromEntries(shown);
}

/** `{ name: "password", value: "…" }`. */
function hasSecretLabel(entries: readonly (readonly [string, JsonValue])[]): boolean {
  return entries.some(
    ([key, label]) =>
      /^(name|key)$/i.test(key) && typeof label === "string" && isSecretName(label, ""),
  );
}

/** The schemas with all that they refer to and combine; undefined where there are too many. */
function expand({ root, schemas }: Known): readonly JsonValue[] | undefined {
  const found = new Set<JsonValue>(schemas);
  for (const schema of found) {
    if (found.size > SCHEMAS_LIMIT) return undefined;
    if (!isJsonObject(schema)) continue;
    const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise } = schema;
    const referred = typeof $ref === "string" ? findLocalRef(root, $ref) : undefined;
    const parts = [referred, condition, then, otherwise, ...[allOf, anyOf, oneOf].flatMap(listOf)];
    for (const part of parts) if (part !== undefined) found.add(part);
  }
  return [...found];
}

function isSecret(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return false;
  return (
    schema["writeOnly"] === true ||
    schema["format"] === "password" ||
    schema["secret"] === true ||
    schema["x-secret"] === true
  );
}

function itemSchemas(schema: JsonValue, position: number): readonly JsonValue[] {
  if (!isJsonObject(schema)) return [];
  const { items, prefixItems, additionalItems, contains } = schema;
  const own = listOf(prefixItems)[position] ?? (isJsonArray(items) ? items[position] : items);
  return [own, additionalItems, contains].filter((part) => part !== undefined);
}

/** Patterns are not matched: whatever any of them says may hold. */
function propertySchemas(schema: JsonValue, key: string): readonly JsonValue[] {
  if (!isJsonObject(schema)) return [];
  const { properties, patternProperties, additionalProperties } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) {
    const own = properties[key];
    return own === undefined ? [] : [own];
  }
  const patterned = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  return additionalProperties === undefined ? patterned : [...patterned, additionalProperties];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}
