/**
 * Schemas of an OpenAPI document as JSON Schema 2020-12. References into the document become references
 * into `$defs`, so that cycles stay what they are; what lies beyond the limit of size becomes "anything".
 */
import type { JsonSchema, JsonValue } from "../../../toolkit-cli/index.ts";
import { findRef, isObject, type JsonObject, listOf, type OpenapiDocument } from "./document.ts";
import { toJsonValue } from "./json-value.ts";

/** Requests hide what only responses have, and the other way around. */
export type Direction = "request" | "response";

/** Schemas within schemas; Stripe's whole model hangs on each of its objects. */
const NODES: Record<Direction, number> = { request: 1500, response: 300 };
const DEPTH = 32;
const DEFAULT_LENGTH = 80;

const DATA = new Set(
  [
    "type format title description default enum const multipleOf minimum maximum exclusiveMinimum",
    "exclusiveMaximum minLength maxLength pattern minItems maxItems uniqueItems minContains maxContains",
    "minProperties maxProperties required dependentRequired deprecated readOnly writeOnly examples",
    "contentEncoding contentMediaType x-secret",
  ].flatMap((words) => words.split(" ")),
);
const SCHEMA = new Set(
  "items additionalProperties not contains propertyNames if then else contentSchema".split(" "),
);
const SCHEMAS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const SCHEMA_MAP = new Set(["properties", "patternProperties", "dependentSchemas"]);

/** Converts the schemas of one tool's input or output, and keeps what they refer to. */
export class SchemaConverter {
  readonly #document: OpenapiDocument;
  readonly #direction: Direction;
  readonly #names = new Map<string, string>();
  readonly #waiting: string[] = [];
  #nodes = 0;

  constructor(document: OpenapiDocument, direction: Direction) {
    this.#document = document;
    this.#direction = direction;
  }

  convert(schema: unknown): JsonSchema {
    const converted = this.#convert(schema, 0);
    return isJsonObject(converted) ? converted : {};
  }

  /** A whole schema: the converted one, with `$defs` for all that was converted until now. */
  withDefinitions(schema: JsonSchema): JsonSchema {
    const definitions: [string, JsonValue][] = [];
    for (let ref = this.#waiting.shift(); ref !== undefined; ref = this.#waiting.shift()) {
      definitions.push([this.#name(ref), this.#convert(findRef(this.#document, ref), 0)]);
    }
    if (definitions.length === 0) return schema;
    return { ...schema, $defs: Object.fromEntries(definitions) };
  }

  #convert(schema: unknown, depth: number): JsonValue {
    if (typeof schema === "boolean") return schema;
    this.#nodes += 1;
    if (!isObject(schema) || depth > DEPTH || this.#nodes > NODES[this.#direction]) return {};
    const ref = schema["$ref"];
    if (typeof ref === "string") return this.#convertRef(ref, schema, depth);
    const entries: [string, JsonValue][] = [];
    for (const [keyword, value] of Object.entries(schema)) {
      const converted = this.#convertKeyword(keyword, value, depth);
      if (converted !== undefined) entries.push([keyword, converted]);
    }
    const visible = withoutHidden(Object.fromEntries(entries), this.#hidden(schema));
    const plain = this.#document.isDialect30 ? fromDialect30(visible, schema) : visible;
    return this.#direction === "request" ? withDefaultInWords(plain) : plain;
  }

  #convertKeyword(keyword: string, value: unknown, depth: number): JsonValue | undefined {
    if (DATA.has(keyword)) return toJsonValue(value);
    if (keyword === "example") return undefined;
    if (SCHEMA.has(keyword)) return this.#convert(value, depth + 1);
    if (SCHEMAS.has(keyword)) return listOf(value).map((item) => this.#convert(item, depth + 1));
    if (!SCHEMA_MAP.has(keyword) || !isObject(value)) return undefined;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.#convert(item, depth + 1)]),
    );
  }

  #convertRef(ref: string, schema: JsonObject, depth: number): JsonValue {
    const target = findRef(this.#document, ref);
    if (!isObject(target)) return {};
    if (isSimple(target)) {
      const { $ref: _, ...beside } = schema;
      return this.#convert(this.#document.isDialect30 ? target : { ...target, ...beside }, depth);
    }
    const own: JsonObject = { $ref: `#/$defs/${this.#name(ref)}` };
    const description = schema["description"];
    return typeof description !== "string"
      ? toJsonValue(own)
      : toJsonValue({ ...own, description });
  }

  #name(ref: string): string {
    const known = this.#names.get(ref);
    if (known !== undefined) return known;
    const last = ref.slice(ref.lastIndexOf("/") + 1).replaceAll(/[^\w.-]/g, "_") || "schema";
    const taken = new Set(this.#names.values());
    let name = last;
    for (let count = 2; taken.has(name); count++) name = `${last}${count}`;
    this.#names.set(ref, name);
    this.#waiting.push(ref);
    return name;
  }

  /** Properties that this direction does not have. */
  #hidden(schema: JsonObject): ReadonlySet<string> {
    const { properties } = schema;
    if (!isObject(properties)) return new Set();
    const mark = this.#direction === "request" ? "readOnly" : "writeOnly";
    const isHidden = (property: unknown): boolean =>
      isObject(property) &&
      (property[mark] === true ||
        (typeof property["$ref"] === "string" && isMarked(this.#document, property["$ref"], mark)));
    return new Set(
      Object.entries(properties)
        .filter(([, property]) => isHidden(property))
        .map(([name]) => name),
    );
  }
}

function isMarked(document: OpenapiDocument, ref: string, mark: string): boolean {
  const target = findRef(document, ref);
  return isObject(target) && target[mark] === true;
}

/** One value without parts: it stands where it is used. */
function isSimple(schema: JsonObject): boolean {
  const parts = ["$ref", "properties", "items", "allOf", "anyOf", "oneOf", "additionalProperties"];
  return parts.every((keyword) => !(keyword in schema));
}

function withoutHidden(schema: JsonSchema, hidden: ReadonlySet<string>): JsonSchema {
  if (hidden.size === 0) return schema;
  const { properties, required } = schema;
  const kept = Object.entries(isJsonObject(properties) ? properties : {});
  return {
    ...schema,
    properties: Object.fromEntries(kept.filter(([name]) => !hidden.has(name))),
    ...(Array.isArray(required)
      ? { required: required.filter((name) => typeof name !== "string" || !hidden.has(name)) }
      : {}),
  };
}

/** A default is the API's to fill in: sent along, it would overwrite what a PATCH leaves alone. */
function withDefaultInWords(schema: JsonSchema): JsonSchema {
  const { default: value, ...rest } = schema;
  if (value === undefined || value === null) return rest;
  const words = `default: ${JSON.stringify(value).slice(0, DEFAULT_LENGTH)}`;
  const { description } = rest;
  return {
    ...rest,
    description: typeof description === "string" ? `${description} (${words})` : words,
  };
}

/** What OpenAPI 3.0 says in its own words: `nullable`, `example`, bounds that are flags. */
function fromDialect30(schema: JsonSchema, source: JsonObject): JsonSchema {
  let converted = withBounds(schema);
  if (source["example"] !== undefined) {
    converted = { ...converted, examples: [toJsonValue(source["example"])] };
  }
  if (source["nullable"] !== true) return converted;
  const { type, enum: values } = converted;
  if (typeof type !== "string") return { anyOf: [converted, { type: "null" }] };
  return {
    ...converted,
    type: [type, "null"],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}

function withBounds(schema: JsonSchema): JsonSchema {
  const { exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const { minimum, maximum, ...unbound } = rest;
  return {
    ...unbound,
    ...bound("minimum", "exclusiveMinimum", minimum, exclusiveMinimum),
    ...bound("maximum", "exclusiveMaximum", maximum, exclusiveMaximum),
  };
}

function bound(
  name: string,
  exclusiveName: string,
  value: JsonValue | undefined,
  exclusive: JsonValue | undefined,
): JsonSchema {
  if (typeof value !== "number") return {};
  return { [exclusive === true ? exclusiveName : name]: value };
}

function isJsonObject(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
