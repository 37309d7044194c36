// A directory as fs_read shows it: one name a line, marked by kind as `ls -F` does.
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { DirectoryEntry } from "../../vm/index.ts";

const mostEntries = 1000;

const marks: ReadonlyMap<string, string> = new Map([
  ["directory", "/"],
  ["symlink", "@"],
  ["fifo", "|"],
  ["socket", "="],
]);

/** `offset` counts entries from 1. */
export function presentDirectory(
  path: string,
  entries: readonly DirectoryEntry[],
  wish: { readonly offset: number; readonly limit: number },
): CallToolResult {
  const names = entries
    .filter(({ name }) => name !== "." && name !== "..")
    .map(({ name, kind }) => `${name}${marks.get(kind) ?? ""}`)
    .sort();
  const start = Math.max(0, wish.offset - 1);
  const shown = names.slice(start, start + Math.min(wish.limit, mostEntries));
  const rest = names.length - start - shown.length;
  const lines = names.length === 0 ? [`[${path} is an empty directory.]`] : shown;
  const more = `[${rest} more; continue with offset ${start + shown.length + 1}.]`;
  return {
    content: [
      { type: "text", text: lines.join("\n") },
      ...(rest > 0 ? [{ type: "text" as const, text: more }] : []),
    ],
  };
}
