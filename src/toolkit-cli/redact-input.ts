/** An input as logs may show it: secrets out, long parts cut. Never throws. What a person decides on is show-input.ts's. */
import { cutText } from "./describe-failure.ts";
import { isJsonArray } from "./flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "./json-schema.ts";
import { SchemaPlace } from "./schema-secrets.ts";
import { hideSecrets, isSecretName, REDACTED } from "./secrets.ts";

const TEXT_CHARACTERS = 256;
const PARTS_LIMIT = 100;
const DEPTH_LIMIT = 20;

/**
 * Kept back is what the schema calls secret, what has the name of a secret, and text that looks like one. A value whose
 * schema is too large to look at is kept back, too.
 */
export function redactInput(schema: JsonSchema, input: JsonValue): JsonValue {
  return redact(SchemaPlace.ofInput(schema), input, 0);
}

function redact(place: SchemaPlace, value: JsonValue, depth: number): JsonValue {
  if (place.isUnclear || place.isSecret) return REDACTED;
  if (typeof value === "string") return cutText(hideSecrets(value), TEXT_CHARACTERS);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_LIMIT) return "…";
  return isJsonArray(value)
    ? redactItems(place, value, depth)
    : redactProperties(place, value, depth);
}

function redactItems(place: SchemaPlace, items: readonly JsonValue[], depth: number): JsonValue {
  const shown = items
    .slice(0, PARTS_LIMIT)
    .map((item, position) => redact(place.item(position), item, depth + 1));
  return items.length > PARTS_LIMIT ? [...shown, `… (${items.length - PARTS_LIMIT} more)`] : shown;
}

function redactProperties(
  place: SchemaPlace,
  value: { readonly [key: string]: JsonValue },
  depth: number,
): JsonValue {
  const entries = Object.entries(value);
  const isNamedSecret = hasSecretLabel(entries);
  const shown = entries.slice(0, PARTS_LIMIT).map(([key, part]): [string, JsonValue] => {
    const name = cutText(key, TEXT_CHARACTERS);
    if (isSecretName(key, part)) return [name, REDACTED];
    if (isNamedSecret && key === "value") return [name, REDACTED];
    return [name, redact(place.property(key), part, depth + 1)];
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
