import type { CallToolResult } from "@modelcontextprotocol/server";

/** Puts what else the client should know before a result, in both of its forms. */
export function withNotice(notice: string | undefined, result: CallToolResult): CallToolResult {
  if (notice === undefined) return result;
  const { structuredContent, content } = result;
  const isObject = typeof structuredContent === "object" && structuredContent !== null;
  return {
    ...result,
    ...(isObject ? { structuredContent: { ...structuredContent, notice } } : {}),
    content: [{ type: "text", text: `[${notice}]` }, ...content],
  };
}
