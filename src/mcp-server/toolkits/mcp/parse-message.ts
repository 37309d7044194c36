import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { JsonLimitError, MESSAGE_JSON, parseBoundedJson } from "../../../toolkit-cli/index.ts";
import { isObject } from "./output-promise.ts";

/** JSON-RPC's code for a failure on the other side. */
const internalError = -32603;

/** The message a line holds, or undefined where it holds none (a banner, a log line). JsonLimitError. */
export function parseMessage(line: Buffer): JSONRPCMessage | undefined {
  const text = line.toString("utf8");
  // Only an object is a message; banners are not parsed.
  if (!text.trimStart().startsWith("{")) return undefined;
  const json = parseJson(text);
  try {
    return parseJSONRPCMessage(json);
  } catch {
    return brokenAnswer(json);
  }
}

function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text, MESSAGE_JSON);
  } catch (error) {
    if (error instanceof JsonLimitError) throw error;
    // Whatever it was, it asked for nothing and answers nothing.
    return undefined;
  }
}

/** Whoever waits for an answer that is none is told so. */
function brokenAnswer(json: unknown): JSONRPCMessage | undefined {
  if (!isObject(json) || "method" in json || !("result" in json || "error" in json))
    return undefined;
  const { id } = json;
  if (typeof id !== "number" && typeof id !== "string") return undefined;
  const message = "The server's answer is not what JSON-RPC allows.";
  return { jsonrpc: "2.0", id, error: { code: internalError, message } };
}
