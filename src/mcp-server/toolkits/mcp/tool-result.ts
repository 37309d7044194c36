// What a server answers, as the result of a call.
import type {
  CallToolResult,
  ContentBlock,
  ReadResourceResult,
} from "@modelcontextprotocol/client";
import {
  type ExactOutput,
  type JsonValue,
  output,
  parseBoundedJson,
  RESULT_JSON,
  ToolError,
} from "../../../toolkit-cli/index.ts";
import { isObject, type OutputPromise } from "./output-promise.ts";

/** Data, text or bytes; undefined where the server says nothing. */
export type ToolResult = ExactOutput | string | undefined;

/**
 * Structured content is the result where there is any. Else text is text, also where it looks like JSON:
 * only a tool that promises data has it parsed. Throws a ToolError "failed" where the
 * server says that the tool failed.
 */
export function toolResult(result: CallToolResult, promise: OutputPromise | undefined): ToolResult {
  const { content, structuredContent } = result;
  if (result.isError === true) throw new ToolError("failed", failureText(content));
  if (structuredContent !== undefined) return unwrap(structuredContent, promise);
  return promise === undefined ? contentResult(content) : promised(content, promise);
}

/** A resource: its text or bytes, or a list where there are several. */
export function resourceResult({ contents }: ReadResourceResult): ToolResult {
  const [first] = contents;
  if (contents.length !== 1 || first === undefined) return data(contents);
  return "text" in first ? first.text : bytes(first.blob, first.mimeType);
}

function contentResult(content: readonly ContentBlock[]): ToolResult {
  if (content.length === 0) return undefined;
  const texts = content.map(textOf);
  if (texts.every((text) => text !== undefined)) return texts.join("\n");
  const [first] = content;
  return content.length === 1 && first !== undefined ? single(first) : data(content);
}

function single(part: ContentBlock): ToolResult {
  if (part.type === "image" || part.type === "audio") return bytes(part.data, part.mimeType);
  if (part.type === "resource" && "blob" in part.resource) {
    return bytes(part.resource.blob, part.resource.mimeType);
  }
  return data(part);
}

function textOf(part: ContentBlock): string | undefined {
  if (part.type === "text") return part.text;
  if (part.type === "resource" && "text" in part.resource) return part.resource.text;
  return undefined;
}

/** Servers from before structured content give their data as text. */
function promised(content: readonly ContentBlock[], promise: OutputPromise): ToolResult {
  const [first] = content;
  const text = first === undefined ? undefined : textOf(first);
  try {
    return unwrap(parseBoundedJson(text ?? "", RESULT_JSON), promise);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ToolError("failed", "The tool promises data (outputSchema) and gave none.", {
      cause: error,
    });
  }
}

/** A string that was wrapped is text. */
function unwrap(json: unknown, promise: OutputPromise | undefined): ToolResult {
  const property = promise?.property;
  if (property === undefined || !isObject(json) || !Object.hasOwn(json, property))
    return data(json);
  const inner = json[property];
  return typeof inner === "string" ? inner : data(inner);
}

function data(json: unknown): ExactOutput {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came out of JSON.parse
  return output({ kind: "json", json: json as JsonValue });
}

function bytes(base64: string, mimeType: string | undefined): ExactOutput {
  return output({ kind: "bytes", base64, ...(mimeType === undefined ? {} : { mimeType }) });
}

function failureText(content: readonly ContentBlock[]): string {
  const text = content
    .map(textOf)
    .filter((part) => part !== undefined)
    .join("\n")
    .trim();
  return text === "" ? "The tool failed without saying why." : text;
}
