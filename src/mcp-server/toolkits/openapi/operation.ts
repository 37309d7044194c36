// What a document says of one operation, looked at once and put in order.
import {
  dereference,
  isObject,
  type JsonObject,
  listOf,
  type OpenapiDocument,
  textOf,
} from "./document.ts";

export interface Operation {
  readonly id: string | undefined;
  /** In capitals. */
  readonly method: string;
  /** The template: `/pets/{petId}`. */
  readonly path: string;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly isDeprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  /** The content of what it answers on success, by media type. */
  readonly response: ReadonlyMap<string, JsonObject>;
  /** Names of the schemes that protect it; undefined where the document says nothing. */
  readonly schemes: readonly string[] | undefined;
}

export interface Parameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly schema: unknown;
  readonly style: string;
  readonly explode: boolean;
  /** Whether reserved characters of URLs stay as they are. */
  readonly allowReserved: boolean;
  /** The value is sent as a text of this media type, rather than by a style. */
  readonly mediaType: string | undefined;
}

export type ParameterPlace = "path" | "query" | "header" | "cookie";

export interface RequestBody {
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly mediaType: string;
  readonly schema: unknown;
  /** How parts of a form are written, by property. */
  readonly encoding: JsonObject;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/** Nobody's API has more; each costs memory before any filter sees it. */
const OPERATIONS_LIMIT = 20_000;

/** All operations, in the document's order. */
export function listOperations(document: OpenapiDocument): Operation[] {
  const { paths } = document.root;
  const operations: Operation[] = [];
  for (const [path, given] of Object.entries(isObject(paths) ? paths : {})) {
    const item = dereference(document, given);
    if (!path.startsWith("/") || !isObject(item)) continue;
    for (const method of METHODS) {
      const operation = item[method];
      if (!isObject(operation) || operations.length >= OPERATIONS_LIMIT) continue;
      operations.push(readOperation({ document, path, method, item, operation }));
    }
  }
  return operations;
}

interface Found {
  readonly document: OpenapiDocument;
  readonly path: string;
  readonly method: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
}

function readOperation({ document, path, method, item, operation }: Found): Operation {
  const security = operation["security"] ?? document.root["security"];
  return {
    id: textOf(operation["operationId"]),
    method: method.toUpperCase(),
    path,
    summary: textOf(operation["summary"]) ?? textOf(item["summary"]),
    description: textOf(operation["description"]) ?? textOf(item["description"]),
    tags: listOf(operation["tags"]).filter((tag) => typeof tag === "string"),
    isDeprecated: operation["deprecated"] === true,
    parameters: readParameters(document, item, operation),
    body: readBody(document, operation["requestBody"]),
    response: readResponse(document, operation["responses"]),
    schemes: Array.isArray(security)
      ? security.flatMap((choice) => (isObject(choice) ? Object.keys(choice) : []))
      : undefined,
  };
}

/** Those of the operation win over those of its path. */
function readParameters(
  document: OpenapiDocument,
  item: JsonObject,
  operation: JsonObject,
): Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const given of [...listOf(item["parameters"]), ...listOf(operation["parameters"])]) {
    const parameter = readParameter(document, dereference(document, given));
    if (parameter !== undefined) parameters.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...parameters.values()];
}

/** Headers that say how a message travels, or who sends it, are not for callers. */
const OWN_HEADERS = new Set(
  (
    "accept content-type authorization proxy-authorization cookie host content-length connection " +
    "transfer-encoding upgrade te trailer keep-alive expect forwarded x-forwarded-for x-forwarded-host"
  ).split(" "),
);

function readParameter(document: OpenapiDocument, given: unknown): Parameter | undefined {
  if (!isObject(given)) return undefined;
  const name = textOf(given["name"]);
  const place = given["in"];
  if (name === undefined || name === "" || !isPlace(place)) return undefined;
  if (place === "header" && OWN_HEADERS.has(name.toLowerCase())) return undefined;
  const [media] = Object.entries(isObject(given["content"]) ? given["content"] : {});
  const defaultStyle = place === "query" || place === "cookie" ? "form" : "simple";
  const style = textOf(given["style"]) ?? defaultStyle;
  const mediaSchema = media === undefined ? undefined : dereference(document, media[1]);
  return {
    name,
    in: place,
    isRequired: place === "path" || given["required"] === true,
    description: textOf(given["description"]),
    schema: isObject(mediaSchema) ? mediaSchema["schema"] : given["schema"],
    style,
    explode: typeof given["explode"] === "boolean" ? given["explode"] : style === "form",
    allowReserved: given["allowReserved"] === true,
    mediaType: media?.[0],
  };
}

function isPlace(value: unknown): value is ParameterPlace {
  return value === "path" || value === "query" || value === "header" || value === "cookie";
}

function readBody(document: OpenapiDocument, given: unknown): RequestBody | undefined {
  const body = dereference(document, given);
  if (!isObject(body) || !isObject(body["content"])) return undefined;
  const contents = Object.entries(body["content"]).toSorted(
    ([one], [other]) => preference(one) - preference(other),
  );
  const [first] = contents;
  if (first === undefined) return undefined;
  const [mediaType, content] = first;
  const encoding = isObject(content) ? content["encoding"] : undefined;
  return {
    isRequired: body["required"] === true,
    description: textOf(body["description"]),
    mediaType: mediaType === "*/*" ? "application/json" : mediaType,
    schema: isObject(content) ? content["schema"] : undefined,
    encoding: isObject(encoding) ? encoding : {},
  };
}

/** Of several media types, the one that says most about its parts. */
function preference(mediaType: string): number {
  const order = [isJsonType, isFormType, isMultipart];
  const found = order.findIndex((isOne) => isOne(mediaType));
  return found === -1 ? order.length : found;
}

export function isJsonType(mediaType: string): boolean {
  return /^(application\/json|[\w.-]+\/[\w.+-]+\+json|\*\/\*)\s*(;|$)/i.test(mediaType);
}

export function isFormType(mediaType: string): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(mediaType);
}

export function isMultipart(mediaType: string): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(mediaType);
}

/** The content of the lowest 2xx, else of 2XX, else of `default`. */
function readResponse(document: OpenapiDocument, given: unknown): Map<string, JsonObject> {
  const responses = isObject(given) ? given : {};
  const [success] = Object.keys(responses)
    .filter((status) => /^2(\d\d|XX)$/i.test(status))
    .toSorted();
  const response = dereference(document, responses[success ?? "default"]);
  const content = isObject(response) ? response["content"] : undefined;
  const entries = Object.entries(isObject(content) ? content : {});
  return new Map(entries.filter((entry): entry is [string, JsonObject] => isObject(entry[1])));
}
