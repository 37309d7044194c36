/** A piece of a result as the bytes that are written. */
import { encodeText } from "../../kernel/index.ts";
import { parseJson } from "../flags/json-kinds.ts";
import type { JsonValue } from "../json-schema.ts";
import type { ToolValue } from "../tool-event.ts";
import type { OutputFormat } from "./call-options.ts";
import { formatJson, formatPlain } from "./format-json.ts";

export interface WrittenValue {
  readonly bytes: Uint8Array;
  /** For a file that holds it. */
  readonly extension: string;
  /** Bytes that are nothing to read. */
  readonly isBinary: boolean;
  /** Whether a line end belongs behind it. */
  readonly endsLine: boolean;
}

/** Text that is JSON, as many MCP servers give it, where somebody asked for JSON. */
export function asData(value: ToolValue, isWanted: boolean): ToolValue {
  if (value.kind !== "text" || !isWanted || !/^\s*[[{]/.test(value.text)) return value;
  const parsed = parseJson(value.text);
  return "value" in parsed ? { kind: "json", json: parsed.value } : value;
}

export function writeValue(
  value: ToolValue,
  format: OutputFormat,
  isIndented: boolean,
): WrittenValue {
  if (value.kind === "json") return writeJson(value.json, format, isIndented);
  if (format === "json") return writeJson(bareValue(value), format, isIndented);
  if (value.kind === "text") {
    return textValue(value.text, "txt", format !== "raw");
  }
  return {
    bytes: decodeBase64(value.base64),
    extension: extensionOf(value.mimeType),
    isBinary: format !== "raw",
    endsLine: false,
  };
}

function writeJson(json: JsonValue, format: OutputFormat, isIndented: boolean): WrittenValue {
  if (format === "text") return textValue(formatPlain(json), "txt", true);
  if (format === "raw") return textValue(JSON.stringify(json), "json", false);
  return textValue(formatJson(json, isIndented), "json", true);
}

function bareValue(value: Exclude<ToolValue, { kind: "json" }>): JsonValue {
  if (value.kind === "text") return value.text;
  const { base64, mimeType } = value;
  return mimeType === undefined ? { base64 } : { base64, mimeType };
}

function textValue(text: string, extension: string, endsLine: boolean): WrittenValue {
  return { bytes: encodeText(text), extension, isBinary: false, endsLine };
}

function decodeBase64(base64: string): Uint8Array {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

const extensions: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
  ["image/svg+xml", "svg"],
  ["application/pdf", "pdf"],
  ["application/zip", "zip"],
  ["application/gzip", "gz"],
  ["application/json", "json"],
  ["audio/mpeg", "mp3"],
  ["audio/wav", "wav"],
  ["text/html", "html"],
  ["text/csv", "csv"],
  ["text/plain", "txt"],
]);

function extensionOf(mimeType = ""): string {
  return extensions.get(mimeType.split(";", 1)[0] ?? "") ?? "bin";
}
