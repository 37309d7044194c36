import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/client";

/** The message a line holds, or undefined where it holds none. */
export function parseMessage(line: Buffer): JSONRPCMessage | undefined {
  const text = line.toString("utf8");
  // Only an object is a message; banners are not parsed.
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    return parseJSONRPCMessage(JSON.parse(text));
  } catch {
    // Whatever it was, it asked for nothing and answers nothing.
    return undefined;
  }
}
