/** JSON Schema → the text of a TypeScript type. What TypeScript cannot say (ranges, patterns, `not`) is left out. */
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { objectType } from "./object-type.ts";
import { isSchema, type TypePlace } from "./type-place.ts";
import { literalType } from "./type-text.ts";

/** More members of a union are no help: their common type, or any. */
const MEMBERS_LIMIT = 60;

/** The type of a schema; "any" for what is no schema or says nothing. Stable: the same schema gives the same text. */
export function schemaType(schema: JsonValue | undefined, place: TypePlace): string {
  if (schema === false) return "never";
  if (!isSchema(schema) || place.depth > place.style.depthLimit) return "any";
  const type = intersect([
    ownType(schema, place),
    referenceType(schema, place),
    ...list(schema["allOf"]).map((member) => grouped(member, place)),
    unionOf(list(schema["anyOf"]), place),
    unionOf(list(schema["oneOf"]), place),
  ]);
  return schema["nullable"] === true ? union([type, "null"]) : type;
}

/** What the schema says without others: its constants, or its types. */
function ownType(schema: JsonSchema, place: TypePlace): string {
  if (Object.hasOwn(schema, "const")) return literalType(schema["const"] ?? null);
  const values = list(schema["enum"]);
  if (values.length > 0 && values.length <= MEMBERS_LIMIT) return union(values.map(literalType));
  const { type } = schema;
  const types = typeof type === "string" ? [type] : list(type).filter(isText);
  if (types.length > 0)
    return union(types.slice(0, 10).map((name) => typeNamed(name, schema, place)));
  if (values.length > 0) return union(values.map((value) => nameOf(value)));
  if (isSchema(schema["properties"])) return objectType(schema, place, schemaType);
  return Object.hasOwn(schema, "items") ? arrayType(schema, place) : "any";
}

function nameOf(value: JsonValue): string {
  return value === null || typeof value !== "object" ? typeof value : "any";
}

function typeNamed(name: string, schema: JsonSchema, place: TypePlace): string {
  switch (name) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return name;
    case "integer":
      return "number";
    case "array":
      return arrayType(schema, place);
    case "object":
      return objectType(schema, place, schemaType);
    default:
      return "any";
  }
}

function arrayType(schema: JsonSchema, place: TypePlace): string {
  const inner = { ...place, depth: place.depth + 1 };
  const { items } = schema;
  const places = Array.isArray(items) ? items : list(schema["prefixItems"]);
  if (places.length === 0) return arrayOf(schemaType(Array.isArray(items) ? {} : items, inner));
  const rest = Array.isArray(items) ? schema["additionalItems"] : items;
  const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
  const members = places
    .slice(0, MEMBERS_LIMIT)
    .map((member, index) => optional(schemaType(member, inner), index >= least));
  if (rest !== false || places.length > MEMBERS_LIMIT) {
    members.push(`...${arrayOf(places.length > MEMBERS_LIMIT ? "any" : schemaType(rest, inner))}`);
  }
  return `[${members.join(", ")}]`;
}

function optional(type: string, isOptional: boolean): string {
  return isOptional ? `${parenthesized(type)}?` : type;
}

function arrayOf(type: string): string {
  return `${parenthesized(type)}[]`;
}

function referenceType(schema: JsonSchema, place: TypePlace): string {
  const { $ref } = schema;
  if (typeof $ref !== "string") return "any";
  return place.names.refer(place.root, $ref, place.rootName) ?? "any";
}

function unionOf(members: readonly JsonValue[], place: TypePlace): string {
  if (members.length > MEMBERS_LIMIT) return "any";
  return union(members.map((member) => grouped(member, place)));
}

function grouped(member: JsonValue, place: TypePlace): string {
  return schemaType(member, { ...place, depth: place.depth + 1 });
}

/** "any" for no members, and where one is any: the others would say nothing. */
function union(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter((type) => type !== "never");
  if (types.length > 0 && distinct.length === 0) return "never";
  return types.length === 0 || distinct.includes("any") ? "any" : distinct.join(" | ");
}

/** Members that say nothing are left out. */
function intersect(types: readonly string[]): string {
  const saying = [...new Set(types)].filter((type) => type !== "any");
  if (saying.length < 2) return saying[0] ?? "any";
  return saying.map((type) => (hasTopLevel(type, "|") ? `(${type})` : type)).join(" & ");
}

function parenthesized(type: string): string {
  return hasTopLevel(type, "|") || hasTopLevel(type, "&") ? `(${type})` : type;
}

/** Whether an operator stands outside of all brackets and strings. */
function hasTopLevel(type: string, operator: "|" | "&"): boolean {
  const outside = /"(?:[^"\\]|\\.)*"|\/\*[^]*?\*\/|[[({<]|[\])}>]|[|&]/g;
  let depth = 0;
  for (const [token] of type.matchAll(outside)) {
    if ("[({<".includes(token)) depth += 1;
    else if ("])}>".includes(token)) depth -= 1;
    else if (token === operator && depth === 0) return true;
  }
  return false;
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function isText(value: JsonValue): value is string {
  return typeof value === "string";
}
