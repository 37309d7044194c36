// What can be said of a message that is too long to be read. Runs on Node 20.
import type { LongLine } from "../lines.ts";

const text = String.raw`"(?:[^"\\]|\\.)*"`;
const id = String.raw`"id"\s*:\s*(-?\d+|${text})`;
const plain = String.raw`"(?:jsonrpc|method)"\s*:\s*${text}`;
/** Only members that cannot hold an id of something else may come before it, or after it. */
const idInHead = new RegExp(String.raw`^\s*\{\s*(?:${plain}\s*,\s*)*${id}\s*,\s*"(\w+)"`);
const idInTail = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${plain}\s*)*\}\s*$`);

/**
 * The id of the request that a line holds, as far as its two ends show it: null when they do not.
 * Undefined for an answer, which gets none itself.
 */
export function requestIdOfLongLine({ head, tail }: LongLine): string | number | null | undefined {
  const start = head.toString("utf8");
  const first = idInHead.exec(start);
  if (first?.[2] === "result" || first?.[2] === "error") return undefined;
  const found = first?.[1] ?? idInTail.exec(tail.toString("utf8"))?.[1];
  return found === undefined ? null : parseId(found);
}

function parseId(found: string): string | number | null {
  try {
    const value: unknown = JSON.parse(found);
    return typeof value === "string" || typeof value === "number" ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
