import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { describeRange } from "../schema-range.ts";
import { intersect, unite } from "./combine-shapes.ts";
import { isJsonArray, isJsonObject, type JsonObject, ownValue } from "./json-kinds.ts";
import { resolvePointer } from "./resolve-pointer.ts";
import { type ArrayShape, anything, never, type ObjectShape, type Shape } from "./shape.ts";

/** Schemas looked at for one shape; what lies beyond may be anything. */
const VISIT_LIMIT = 2000;
/** How deep references and combinations nest for one shape. */
const NESTING_LIMIT = 64;

/**
 * A schema whose parts are read when they are asked for: a reference that leads back to itself is no
 * trouble, and a hostile schema costs no more than the flags that are used.
 */
export class SchemaDocument {
  readonly #schema: JsonSchema;
  readonly #shapes = new WeakMap<JsonObject, Shape>();
  #visits = 0;

  constructor(schema: JsonSchema) {
    this.#schema = schema;
  }

  /** The input itself: an object, whatever else the schema would allow. */
  get root(): ObjectShape {
    const { object } = this.shapeOf(this.#schema);
    return object ?? { properties: new Map(), required: new Set(), rest: true, isRecord: true };
  }

  shapeOf(schema: JsonSchema | boolean): Shape {
    if (typeof schema === "boolean") return schema ? anything : never;
    const known = this.#shapes.get(schema);
    if (known !== undefined) return known;
    this.#visits = 0;
    const shape = this.#read(schema, []);
    this.#shapes.set(schema, shape);
    return shape;
  }

  #read(schema: JsonValue | undefined, above: readonly JsonValue[]): Shape {
    if (schema === false) return never;
    this.#visits += 1;
    const isPastLimit = this.#visits > VISIT_LIMIT || above.length >= NESTING_LIMIT;
    // A schema that is reached again before anything was said says nothing.
    if (!isJsonObject(schema) || isPastLimit || above.includes(schema)) return anything;
    const path = [...above, schema];
    const reference = ownValue(schema, "$ref");
    let shape = readOwnKeywords(schema);
    if (typeof reference === "string") {
      shape = intersect(shape, this.#read(resolvePointer(this.#schema, reference), path));
    }
    for (const member of listOf(schema, "allOf"))
      shape = intersect(shape, this.#read(member, path));
    for (const keyword of ["anyOf", "oneOf"]) {
      const members = listOf(schema, keyword);
      if (members.length > 0) {
        shape = intersect(shape, unite(members.map((member) => this.#read(member, path))));
      }
    }
    return ownValue(schema, "nullable") === true ? { ...shape, hasNull: true } : shape;
  }
}

function readOwnKeywords(schema: JsonObject): Shape {
  return { ...readKinds(schema), ...readMeta(schema) };
}

function readKinds(schema: JsonObject): Shape {
  const choices = readChoices(schema);
  const types = readTypes(schema);
  if (choices !== undefined) return { ...never, choices };
  if (types.size === 0) return anything;
  return {
    isAny: false,
    hasString: types.has("string"),
    number: types.has("number") ? "number" : types.has("integer") ? "integer" : undefined,
    hasBoolean: types.has("boolean"),
    hasNull: types.has("null"),
    choices: [],
    array: types.has("array") ? readArray(schema) : undefined,
    object: types.has("object") ? readObject(schema) : undefined,
  };
}

const objectKeywords = ["properties", "required", "additionalProperties", "patternProperties"];
const arrayKeywords = ["items", "prefixItems"];

/** What `type` says; where it says nothing, what the other keywords are about. */
function readTypes(schema: JsonObject): ReadonlySet<string> {
  const type = ownValue(schema, "type");
  if (typeof type === "string") return new Set([type]);
  if (isJsonArray(type)) return new Set(type.filter((name) => typeof name === "string"));
  if (objectKeywords.some((keyword) => Object.hasOwn(schema, keyword))) return new Set(["object"]);
  if (arrayKeywords.some((keyword) => Object.hasOwn(schema, keyword))) return new Set(["array"]);
  return new Set();
}

function readChoices(schema: JsonObject): readonly JsonValue[] | undefined {
  if (Object.hasOwn(schema, "const")) return [schema["const"] ?? null];
  const choices = ownValue(schema, "enum");
  return isJsonArray(choices) ? choices : undefined;
}

function readArray(schema: JsonObject): ArrayShape {
  const items = ownValue(schema, "items");
  // Until draft 2020-12 a tuple was a list under `items`.
  if (isJsonArray(items)) {
    return { prefix: items.map(asSchema), items: asSchema(ownValue(schema, "additionalItems")) };
  }
  return { prefix: listOf(schema, "prefixItems").map(asSchema), items: asSchema(items) };
}

function readObject(schema: JsonObject): ObjectShape {
  const properties = ownValue(schema, "properties");
  const required = ownValue(schema, "required");
  const patterns = ownValue(schema, "patternProperties");
  const additional = ownValue(schema, "additionalProperties");
  const first = isJsonObject(patterns) ? Object.values(patterns)[0] : undefined;
  const declared = isJsonObject(properties) ? Object.entries(properties) : [];
  return {
    properties: new Map(
      declared
        .filter(([, property]) => property !== false)
        .map(([name, property]) => [name, asSchema(property)]),
    ),
    required: new Set(
      isJsonArray(required) ? required.filter((name) => typeof name === "string") : [],
    ),
    rest: first === undefined ? asSchema(additional) : asSchema(first),
    isRecord: first !== undefined || (additional !== undefined && additional !== false),
  };
}

function readMeta(schema: JsonObject): Partial<Shape> {
  const description = ownValue(schema, "description") ?? ownValue(schema, "title");
  const standard = ownValue(schema, "default");
  const format = ownValue(schema, "format");
  const range = describeRange(schema);
  return {
    ...(typeof description === "string" ? { description } : {}),
    ...(standard === undefined ? {} : { default: standard }),
    ...(typeof format === "string" ? { format } : {}),
    ...(range === "" ? {} : { range }),
    ...(ownValue(schema, "contentEncoding") === "base64" ? { isBase64: true } : {}),
  };
}

function asSchema(value: JsonValue | undefined): JsonSchema | boolean {
  if (isJsonObject(value)) return value;
  return value !== false;
}

function listOf(schema: JsonObject, keyword: string): readonly JsonValue[] {
  const list = ownValue(schema, keyword);
  return isJsonArray(list) ? list : [];
}
