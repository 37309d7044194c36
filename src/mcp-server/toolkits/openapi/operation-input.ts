// The one input of an operation: its parameters and its body in one object, and the way back.
import { type JsonSchema, type JsonValue, toKebabCase } from "../../../toolkit-cli/index.ts";
import { SchemaConverter } from "./convert-schema.ts";
import {
  dereference,
  isObject,
  type JsonObject,
  listOf,
  type OpenapiDocument,
} from "./document.ts";
import {
  isFormType,
  isJsonType,
  isMultipart,
  type Operation,
  type Parameter,
  type RequestBody,
} from "./operation.ts";

export interface OperationInput {
  readonly schema: JsonSchema;
  readonly parameters: readonly PlacedParameter[];
  readonly body: PlacedBody | undefined;
  /** Whether callers may ask for all pages at once by the property `all`. */
  readonly hasAll: boolean;
}

export interface PlacedParameter {
  /** What the input calls it. */
  readonly property: string;
  readonly parameter: Parameter;
}

export interface PlacedBody {
  readonly body: RequestBody;
  /** The input's property that is the body, or those that the body is made of. */
  readonly from: { readonly property: string } | { readonly properties: readonly string[] };
  /** Fields of a form that are files: base64 in the input, bytes in the request. */
  readonly files: ReadonlySet<string>;
}

/** The property that asks for all pages. */
export const ALL = "all";
/** More than any `allOf` of base types has, theirs included. */
const ALL_OF_PARTS = 100;

export function makeInput(
  document: OpenapiDocument,
  operation: Operation,
  options: { readonly hidden: (parameter: Parameter) => boolean; readonly canPage: boolean },
): OperationInput {
  const converter = new SchemaConverter(document, "request");
  const properties = new InputProperties();
  const required: string[] = [];
  const parameters: PlacedParameter[] = [];
  for (const parameter of operation.parameters) {
    if (options.hidden(parameter)) continue;
    const property = properties.freeName(parameter.name, `${parameter.in}_${parameter.name}`);
    properties.set(property, parameterSchema(converter, parameter));
    if (parameter.isRequired) required.push(property);
    parameters.push({ property, parameter });
  }
  const body =
    operation.body === undefined
      ? undefined
      : placeBody(document, operation.body, { converter, properties, required });
  const hasAll = options.canPage && !properties.has(ALL);
  if (hasAll) properties.set(ALL, { type: "boolean", description: "Get all pages at once" });
  const schema = converter.withDefinitions({
    type: "object",
    properties: properties.toSchemas(),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  });
  return { schema, parameters, body, hasAll };
}

function parameterSchema(converter: SchemaConverter, parameter: Parameter): JsonSchema {
  const schema = converter.convert(parameter.schema);
  const { description } = parameter;
  if (description === undefined) return schema;
  const own = typeof schema["description"] === "string" ? schema["description"] : "";
  // The schema's own words end with its default.
  const rest = own.match(/\(?default: .*$/s)?.[0];
  const whole =
    rest === undefined ? description : `${description} (${rest.replaceAll(/^\(|\)$/g, "")})`;
  return { ...schema, description: whole };
}

interface Placing {
  readonly converter: SchemaConverter;
  readonly properties: InputProperties;
  readonly required: string[];
}

/** An object's properties stand beside the parameters, as long as their names do not meet. */
function placeBody(document: OpenapiDocument, body: RequestBody, placing: Placing): PlacedBody {
  const { converter, properties, required } = placing;
  const hasParts =
    isJsonType(body.mediaType) || isFormType(body.mediaType) || isMultipart(body.mediaType);
  const flat = hasParts ? flatten(document, body.schema, { left: ALL_OF_PARTS }) : undefined;
  const converted = flat === undefined ? undefined : converter.convert(flat);
  const parts = Object.entries(objectOf(converted?.["properties"]));
  const isFile = ([name, schema]: [string, JsonSchema]): boolean => isFilePart(body, name, schema);
  const files = new Set(parts.filter(isFile).map(([name]) => name));
  if (parts.length > 0 && parts.every(([name]) => !properties.has(name))) {
    for (const [name, schema] of parts) {
      properties.set(name, files.has(name) ? fileSchema(schema) : schema);
    }
    if (body.isRequired) required.push(...namesOf(converted?.["required"]));
    return { body, from: { properties: parts.map(([name]) => name) }, files };
  }
  const property = properties.freeName("body", "request_body");
  properties.set(property, wholeSchema(converter, body));
  if (body.isRequired) required.push(property);
  return { body, from: { property }, files };
}

function wholeSchema(converter: SchemaConverter, body: RequestBody): JsonSchema {
  const { description = "The request's body" } = body;
  if (isJsonType(body.mediaType) || isFormType(body.mediaType) || isMultipart(body.mediaType)) {
    return { description, ...converter.convert(body.schema) };
  }
  if (isText(body.mediaType)) return { type: "string", description };
  return {
    type: "string",
    contentEncoding: "base64",
    contentMediaType: body.mediaType,
    description,
  };
}

export function isText(mediaType: string): boolean {
  return /^(text\/|application\/([\w.-]+\+)?(xml|yaml|x-yaml|graphql|sql|x-ndjson|jsonl)\b)/i.test(
    mediaType,
  );
}

/** Bytes, which JSON has as base64. */
function fileSchema(schema: JsonSchema): JsonSchema {
  const { format: _, items, ...rest } = schema;
  if (isSchema(items)) return { ...rest, items: fileSchema(items) };
  return { ...rest, contentEncoding: "base64" };
}

function isFilePart(body: RequestBody, name: string, schema: JsonSchema): boolean {
  if (!isMultipart(body.mediaType)) return false;
  const part = isSchema(schema["items"]) ? schema["items"] : schema;
  const encoding = Object.hasOwn(body.encoding, name) ? body.encoding[name] : undefined;
  const type = isObject(encoding) ? encoding["contentType"] : undefined;
  const isBinary = part["format"] === "binary" || part["contentMediaType"] !== undefined;
  const isTypedFile = typeof type === "string" && !isText(type) && !isJsonType(type);
  return part["type"] === "string" && (isBinary || isTypedFile);
}

function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return isObject(value);
}

/** An object schema as one list of properties; undefined where it is something else or more than that. */
function flatten(
  document: OpenapiDocument,
  given: unknown,
  parts: { left: number },
): JsonObject | undefined {
  const schema = dereference(document, given);
  parts.left -= 1;
  if (!isObject(schema) || parts.left < 0) return undefined;
  const isClosed = [undefined, false].some((value) => value === schema["additionalProperties"]);
  const isOther = ["oneOf", "anyOf", "not", "if", "patternProperties"].some(
    (word) => word in schema,
  );
  const isOfType = [undefined, "object"].some((type) => type === schema["type"]);
  if (!isClosed || isOther || !isOfType || schema["nullable"] === true) return undefined;
  const bases = listOf(schema["allOf"]).map((base) => flatten(document, base, parts));
  const all = [...bases, schema];
  if (all.some((part) => part === undefined)) return undefined;
  const properties = all.flatMap((part) =>
    isObject(part?.["properties"]) ? Object.entries(part["properties"]) : [],
  );
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: [...new Set(all.flatMap((part) => listOf(part?.["required"])))],
  };
}

function objectOf(
  value: JsonValue | undefined,
): JsonObject & { readonly [key: string]: JsonSchema } {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, JsonSchema] => isObject(entry[1])),
  );
}

function namesOf(value: JsonValue | undefined): string[] {
  return listOf(value).filter((name) => typeof name === "string");
}

/** The properties of an input. Flags are kebab-case, so names that differ in case alone are the same. */
class InputProperties {
  readonly #schemas = new Map<string, JsonSchema>();
  readonly #taken = new Set<string>();

  set(name: string, schema: JsonSchema): void {
    this.#schemas.set(name, schema);
    this.#taken.add(name).add(toKebabCase(name));
  }

  has(name: string): boolean {
    return this.#taken.has(name) || this.#taken.has(toKebabCase(name));
  }

  freeName(wanted: string, otherwise: string): string {
    if (!this.has(wanted)) return wanted;
    let name = otherwise;
    for (let count = 2; this.has(name); count++) name = `${otherwise}_${count}`;
    return name;
  }

  toSchemas(): { readonly [name: string]: JsonSchema } {
    return Object.fromEntries(this.#schemas);
  }
}
