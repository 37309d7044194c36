// Errors of the SDK about parameters of the wrong shape, in words.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { z } from "zod";

const invalidParams = -32602;
const issues = z
  .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
  .min(1);

/** The SDK answers such requests with its schema's findings as JSON, most of them as an internal error. */
export function withPlainError(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message)) return message;
  const { error } = message;
  const found = findIssues(error.message);
  if (found === undefined) return message;
  const problems = found.map(({ path, message: problem }) =>
    path.length === 0 ? problem : `${path.join(".")}: ${problem}`,
  );
  const text = `The parameters are wrong: ${problems.join("; ")}.`;
  return { ...message, error: { ...error, code: invalidParams, message: text } };
}

function findIssues(text: string): z.output<typeof issues> | undefined {
  const start = text.indexOf("[\n");
  if (start === -1) return undefined;
  try {
    return issues.safeParse(JSON.parse(text.slice(start))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
