/** Which parts of an input a schema calls secret. */
import { isJsonArray, isJsonObject } from "./flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "./json-schema.ts";
import { findLocalRef } from "./schemas/local-ref.ts";

/** Schemas that may apply to one value; further ones are not looked at. */
const SCHEMAS_LIMIT = 200;

/** A value's place in an input: every schema that may apply to it. */
export class SchemaPlace {
  readonly #root: JsonSchema;
  readonly #schemas: readonly JsonValue[];
  /** Whether there are more schemas than are looked at. */
  readonly isUnclear: boolean;

  private constructor(root: JsonSchema, schemas: readonly JsonValue[]) {
    this.#root = root;
    const found = expand(root, schemas);
    this.isUnclear = found.length > SCHEMAS_LIMIT;
    this.#schemas = found;
  }

  static ofInput(schema: JsonSchema): SchemaPlace {
    return new SchemaPlace(schema, [schema]);
  }

  /** `writeOnly`, `format: "password"`, `secret` or `x-secret`, in any member of a union. */
  get isSecret(): boolean {
    return this.#schemas.some(marksSecret);
  }

  item(position: number): SchemaPlace {
    return this.#part(this.#schemas.flatMap((schema) => itemSchemas(schema, position)));
  }

  property(key: string): SchemaPlace {
    return this.#part(this.#schemas.flatMap((schema) => propertySchemas(schema, key)));
  }

  #part(schemas: readonly JsonValue[]): SchemaPlace {
    return new SchemaPlace(this.#root, schemas);
  }
}

/** The schemas with all that they refer to and combine, up to just above the limit. */
function expand(root: JsonSchema, schemas: readonly JsonValue[]): readonly JsonValue[] {
  const found = new Set<JsonValue>(schemas);
  for (const schema of found) {
    if (found.size > SCHEMAS_LIMIT) break;
    if (!isJsonObject(schema)) continue;
    const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise } = schema;
    const referred = typeof $ref === "string" ? findLocalRef(root, $ref) : undefined;
    const parts = [referred, condition, then, otherwise, ...[allOf, anyOf, oneOf].flatMap(listOf)];
    for (const part of parts) if (part !== undefined) found.add(part);
  }
  return [...found];
}

function marksSecret(schema: JsonValue): boolean {
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
