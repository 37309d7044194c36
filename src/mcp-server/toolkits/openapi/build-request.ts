// A validated input as an HTTP request to the API, and to nowhere else.
import { type JsonValue, ToolError } from "../../../toolkit-cli/index.ts";
import { isObject } from "./document.ts";
import type { Operation, Parameter } from "./operation.ts";
import type { OperationInput } from "./operation-input.ts";
import { serializeBody } from "./serialize-body.ts";
import { serializeHeader, serializePairs, serializePath, textOf } from "./serialize-parameter.ts";

export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | Uint8Array<ArrayBuffer> | FormData | undefined;
}

export interface RequestPlan {
  readonly base: URL;
  readonly operation: Operation;
  readonly input: OperationInput;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, JsonValue>>;

/** Fails with a ToolError "usage" where a value cannot stand where it belongs. */
export function buildRequest(plan: RequestPlan, values: Values): ApiRequest {
  const { base, operation, input } = plan;
  const headers = new Headers(plan.headers);
  headers.set("accept", acceptOf(operation));
  const query: string[] = [];
  const cookies: string[] = [];
  const segments = new Map<string, string>();
  for (const { property, parameter } of input.parameters) {
    const value = Object.hasOwn(values, property) ? values[property] : undefined;
    if (value === undefined || (value === null && parameter.in !== "path")) continue;
    const written = writeParameter(parameter, value);
    if (parameter.in === "path") segments.set(parameter.name, checkedSegment(property, written));
    else if (parameter.in === "header") setHeader(headers, parameter.name, written);
    else (parameter.in === "query" ? query : cookies).push(written);
  }
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  const body = serializeBody(input.body, values);
  if (body.mediaType !== undefined) headers.set("content-type", body.mediaType);
  const url = new URL(base);
  url.pathname = base.pathname.slice(0, -1) + fillPath(operation.path, segments);
  url.search = query.join("&");
  return { method: operation.method, url, headers, body: body.content };
}

function writeParameter(parameter: Parameter, value: JsonValue): string {
  const { name, mediaType, in: place } = parameter;
  const isPair = place === "query" || place === "cookie";
  if (mediaType !== undefined) {
    const text = /json/i.test(mediaType) ? JSON.stringify(value) : textOf(value);
    if (place === "header") return text;
    const encoded = encodeURIComponent(text);
    return isPair ? `${encodeURIComponent(name)}=${encoded}` : encoded;
  }
  if (place === "header") return serializeHeader(value, parameter);
  if (!isPair) return serializePath(name, value, parameter);
  const pairs = serializePairs(name, value, parameter).map((pair) => pair.join("="));
  return pairs.join(place === "query" ? "&" : "; ");
}

/** URLs take `.` and `..` away, encoded or not, and an empty segment is another address. */
function checkedSegment(property: string, written: string): string {
  if (written !== "" && !/^(\.|%2e){1,2}$/i.test(written)) return written;
  throw usage(property, `${JSON.stringify(written)} cannot stand in a path`);
}

function fillPath(template: string, segments: ReadonlyMap<string, string>): string {
  const filled = template.replaceAll(
    /\{([^{}]*)\}/g,
    (whole, name: string) => segments.get(name) ?? whole,
  );
  for (const segment of filled.split("/")) {
    if (/^(\.|%2e){1,2}$/i.test(segment)) throw usage(template, "its path leads out of the API");
  }
  // What is left of the template, and what begins a query or fragment, is text.
  return filled.replaceAll(/[?#{}\\]/g, (character) => encodeURIComponent(character));
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch (error) {
    throw usage(name, "it has a line break or another character that headers cannot have", error);
  }
}

function acceptOf({ response }: Operation): string {
  const types = [...response.keys()]
    .filter((type) => /^[\w.+-]+\/[\w.+*-]+$/.test(type))
    .slice(0, 8);
  if (types.length === 0) return "application/json, */*;q=0.5";
  return [...types, "*/*;q=0.1"].join(", ");
}

function usage(property: string, message: string, cause?: unknown): ToolError {
  const issue = { path: [property], message };
  return new ToolError("usage", `${property}: ${message}.`, { issues: [issue], cause });
}

/** The input as the validator leaves it. */
export function valuesOf(input: unknown): Values {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- validated against an object schema
  return isObject(input) ? (input as Values) : {};
}
