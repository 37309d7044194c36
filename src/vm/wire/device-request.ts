/** Reads a line that a guest wrote to the toolkits' device. Used in the cell, and again by the broker. */
import { JsonLimitError, parseBoundedJson } from "../../toolkit-cli/bounded-json.ts";
import type { DeviceRequest } from "../../toolkit-cli/device-protocol.ts";
import type { JsonValue } from "../../toolkit-cli/json-schema.ts";

/** Names are shorter than this, see toolkit-cli/names.ts; so are searches. */
const NAME_CHARACTERS = 255;
const QUERY_CHARACTERS = 1000;
const MATCHES_LIMIT = 100;

/** The request; or what is wrong with it, for its caller. */
export type ReadRequest =
  | { readonly request: DeviceRequest }
  | { readonly id: number; readonly problem: string };

export function readDeviceRequest(line: string): ReadRequest {
  const parsed = parseJson(line);
  if ("problem" in parsed) return { id: 0, problem: parsed.problem };
  const { value } = parsed;
  if (!isObject(value)) return { id: 0, problem: "A request is an object." };
  const id = value["id"];
  if (typeof id !== "number" || !Number.isSafeInteger(id) || id < 1) {
    return { id: 0, problem: 'A request has an "id", a whole number from 1 up.' };
  }
  const request = readOperation(id, value);
  return typeof request === "string" ? { id, problem: request } : { request };
}

type JsonObject = { readonly [key: string]: JsonValue };

function readOperation(id: number, value: JsonObject): DeviceRequest | string {
  const { op } = value;
  switch (op) {
    case "cancel":
    case "list":
      return { id, op };
    case "describe": {
      const { toolkit } = value;
      return isName(toolkit) ? { id, op, toolkit } : 'describe takes a "toolkit".';
    }
    case "search":
      return readSearch(id, value);
    case "call": {
      const { toolkit, tool, input = {} } = value;
      if (!isName(toolkit) || !isName(tool)) return 'call takes a "toolkit" and a "tool".';
      return { id, op, toolkit, tool, input };
    }
    default:
      return 'A request\'s "op" is call, cancel, list, describe or search.';
  }
}

function readSearch(id: number, { query, limit }: JsonObject): DeviceRequest | string {
  if (typeof query !== "string" || query.length > QUERY_CHARACTERS) {
    return `search takes a "query" of at most ${QUERY_CHARACTERS} characters.`;
  }
  if (limit === undefined) return { id, op: "search", query };
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > MATCHES_LIMIT) {
    return `search takes a "limit" from 1 to ${MATCHES_LIMIT}.`;
  }
  return { id, op: "search", query, limit };
}

function isName(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value !== "" && value.length <= NAME_CHARACTERS;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(text: string): { readonly value: JsonValue } | { readonly problem: string } {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came out of JSON.parse
    return { value: parseBoundedJson(text) as JsonValue };
  } catch (error) {
    if (error instanceof JsonLimitError) return { problem: `The request: ${error.message}` };
    if (error instanceof SyntaxError) return { problem: "The request is no JSON." };
    throw error;
  }
}
