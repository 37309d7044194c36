import type { CallToolResult } from "@modelcontextprotocol/server";
import type { JsonValue, ToolFailure, ToolValue } from "../../toolkit-cli/index.ts";
import { cutMiddle } from "../presentation/cut-middle.ts";
import { maxOutputBytes } from "../presentation/output-limit.ts";
import type { DirectCall } from "./direct-call.ts";
import { promisesOutput } from "./direct-tool.ts";

type Part = CallToolResult["content"][number];
const ISSUES_SHOWN = 20;

type JsonObject = { readonly [key: string]: JsonValue };

/** A call that is over, as an MCP result: data that is one object is structured content as well. */
export function presentDirectCall(call: DirectCall): CallToolResult {
  const { failure, values, hints, isCut } = call;
  if (failure !== undefined) return presentFailure(failure);
  const limitBytes = maxOutputBytes;
  const [only] = values.length === 1 ? values : [];
  const json = only?.kind === "json" ? only.json : undefined;
  const text = values.map(textOf).filter((part) => part !== undefined);
  const shown = cutMiddle(text.join("\n"), limitBytes);
  const content: Part[] = [
    ...(text.length === 0 ? [] : [{ type: "text", text: shown.text } as const]),
    ...values.flatMap(mediaOf),
    ...hints.map((hint) => ({ type: "text", text: `[${hint}]` }) as const),
    ...(isCut ? [{ type: "text", text: "[the rest of the stream is left out]" } as const] : []),
  ];
  if (content.length === 0) content.push({ type: "text", text: "[done, no result]" });
  const isWhole = !shown.isCut || promisesOutput(call.tool);
  return { content, ...(isWhole && isObject(json) ? { structuredContent: json } : {}) };
}

function presentFailure({ code, message, issues = [] }: ToolFailure): CallToolResult {
  const [first, ...lines] = issues.length < 2 ? [message] : listIssues(issues);
  return {
    isError: true,
    content: [{ type: "text", text: [`${code}: ${first}`, ...lines].join("\n") }],
  };
}

function listIssues(issues: NonNullable<ToolFailure["issues"]>): string[] {
  const lines = issues.map(
    ({ path, message }) => `- ${path.length === 0 ? "" : `${path.join(".")}: `}${message}`,
  );
  return [`${issues.length} things are wrong with the input`, ...lines.slice(0, ISSUES_SHOWN)];
}

function textOf(value: ToolValue): string | undefined {
  if (value.kind === "text") return value.text;
  return value.kind === "json" ? JSON.stringify(value.json) : undefined;
}

function mediaOf(value: ToolValue): Part[] {
  if (value.kind !== "bytes") return [];
  const { base64: data, mimeType = "application/octet-stream" } = value;
  if (mimeType.startsWith("image/")) return [{ type: "image", data, mimeType }];
  if (mimeType.startsWith("audio/")) return [{ type: "audio", data, mimeType }];
  return [{ type: "resource", resource: { uri: "data:", blob: data, mimeType } }];
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
