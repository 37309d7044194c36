/** What a handler returned, made into values for its caller: one, or a stream of them. */
import { JsonLimitError, parseBoundedJson, RESULT_JSON } from "./bounded-json.ts";
import { ExactOutput } from "./exact-output.ts";
import type { JsonValue } from "./json-schema.ts";
import { resultTooLarge, toPlainJson } from "./plain-json.ts";
import { ToolError, type ToolValue } from "./tool-event.ts";

export type Result =
  | { readonly kind: "nothing" }
  | { readonly kind: "one"; readonly value: unknown }
  | { readonly kind: "stream"; readonly items: AsyncIterator<unknown> | Iterator<unknown> };

/** Pieces of a stream that are longer are cut into several. */
const PIECE_BYTES = 256 * 1024;
const ERROR_BODY_CHARACTERS = 1024;

/** Tells one value from a stream; an HTTP response is read, at most `limitBytes` of it. */
export async function readResult(returned: unknown, limitBytes: number): Promise<Result> {
  if (returned === undefined) return { kind: "nothing" };
  if (typeof returned === "function" || typeof returned === "symbol") {
    throw new ToolError("failed", `The tool returned a ${typeof returned}, which is no data.`);
  }
  if (typeof returned !== "object" || returned === null) return { kind: "one", value: returned };
  if (isResponse(returned)) return { kind: "one", value: await readResponse(returned, limitBytes) };
  if (returned instanceof Blob) {
    if (returned.size > limitBytes) throw resultTooLarge(limitBytes);
    const bytes = await returned.arrayBuffer();
    return { kind: "one", value: bytesOutput(new Uint8Array(bytes), returned.type) };
  }
  const items = findStream(returned);
  return items === undefined ? { kind: "one", value: returned } : { kind: "stream", items };
}

/** Text stays text, bytes stay bytes, everything else is data. */
export function toToolValue(value: unknown, limitBytes: number): ToolValue {
  if (value instanceof ExactOutput) return checkedExact(value.value, limitBytes);
  if (typeof value === "string") {
    if (utf8Length(value, limitBytes) > limitBytes) throw resultTooLarge(limitBytes);
    return { kind: "text", text: value };
  }
  const bytes = findBytes(value);
  if (bytes === undefined) return { kind: "json", json: toPlainJson(value, limitBytes) };
  if (bytes.length > limitBytes) throw resultTooLarge(limitBytes);
  return { kind: "bytes", base64: toBase64(bytes) };
}

/** A streamed item as one value or, where it is long text or bytes, as several. */
export function* toPieces(item: unknown, limitBytes: number): Generator<ToolValue> {
  const bytes = findBytes(item);
  if (bytes !== undefined) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield { kind: "bytes", base64: toBase64(bytes.subarray(at, at + PIECE_BYTES)) };
    }
  } else if (typeof item === "string") {
    for (let at = 0; at < item.length; ) {
      const end = endOfPiece(item, at + PIECE_BYTES);
      yield { kind: "text", text: item.slice(at, end) };
      at = end;
    }
  } else if (item !== undefined) {
    yield toToolValue(item, limitBytes);
  }
}

/** What a value costs its caller, about. */
export function sizeOf(value: ToolValue): number {
  if (value.kind === "text") return value.text.length;
  if (value.kind === "bytes") return value.base64.length;
  return JSON.stringify(value.json).length;
}

function checkedExact(value: ToolValue, limitBytes: number): ToolValue {
  if (value.kind === "json") return { kind: "json", json: toPlainJson(value.json, limitBytes) };
  const bytes =
    value.kind === "text" ? utf8Length(value.text, limitBytes) : (value.base64.length / 4) * 3 - 2;
  if (bytes > limitBytes) throw resultTooLarge(limitBytes);
  return value;
}

/** Never in the middle of a surrogate pair. */
function endOfPiece(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

function findStream(returned: object): AsyncIterator<unknown> | Iterator<unknown> | undefined {
  if (returned instanceof ExactOutput) return undefined;
  if (isAsyncIterable(returned)) return returned[Symbol.asyncIterator]();
  // A generator under way streams; arrays, sets and maps are data.
  if (isGenerator(returned)) return returned[Symbol.iterator]();
  return undefined;
}

function isAsyncIterable(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === "function";
}

function isGenerator(value: object): value is IterableIterator<unknown> {
  return (
    Symbol.iterator in value &&
    typeof value[Symbol.iterator] === "function" &&
    "next" in value &&
    typeof value.next === "function"
  );
}

/** The first look at the global loads all of fetch, which takes longer than the call: plain data is not compared. */
function isResponse(value: object): value is Response {
  return !isPlain(value) && value instanceof Response;
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

async function readResponse(response: Response, limitBytes: number): Promise<unknown> {
  const bytes = await readBody(response, limitBytes);
  if (!response.ok) {
    const said = new TextDecoder().decode(bytes).slice(0, ERROR_BODY_CHARACTERS).trim();
    const status = `HTTP ${response.status} ${response.statusText}`.trim();
    throw new ToolError("failed", said === "" ? status : `${status}: ${said}`);
  }
  const type = (response.headers.get("content-type") ?? "").toLowerCase();
  if (/^application\/([^;]*\+)?json/.test(type)) return parseBody(bytes);
  if (/^text\/|^application\/([^;]*\+)?(xml|x-www-form-urlencoded|javascript)/.test(type)) {
    return new TextDecoder().decode(bytes);
  }
  return bytes.length === 0 ? null : bytesOutput(bytes, type);
}

function parseBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return null;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came out of JSON.parse
    const json = parseBoundedJson(bytes, RESULT_JSON) as JsonValue;
    return new ExactOutput({ kind: "json", json });
  } catch (error) {
    if (error instanceof JsonLimitError)
      throw new ToolError("failed", `The answer: ${error.message}`);
    throw new ToolError("failed", "The answer says it is JSON and is not.", { cause: error });
  }
}

async function readBody(response: Response, limitBytes: number): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body) {
    length += piece.length;
    if (length > limitBytes) throw resultTooLarge(limitBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function bytesOutput(bytes: Uint8Array, mimeType: string): ExactOutput {
  const type = mimeType === "" ? {} : { mimeType };
  return new ExactOutput({ kind: "bytes", base64: toBase64(bytes), ...type });
}

function findBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) {
    return new Uint8Array(value);
  }
  if (!ArrayBuffer.isView(value)) return undefined;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Exact where it matters: a string longer than the limit in UTF-16 units is over it anyway. */
function utf8Length(text: string, limitBytes: number): number {
  return text.length > limitBytes ? text.length : Buffer.byteLength(text);
}
