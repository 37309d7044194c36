import type { JqSyntaxError } from "./syntax.ts";

/** What jq says of a program it cannot compile. */
export function describeSyntaxError(error: JqSyntaxError, text: string): string {
  const also = error.also === undefined ? "" : locate(error.also, text);
  const count = error.also === undefined ? "1 compile error" : "2 compile errors";
  return `${locate(error, text)}${also}jq: ${count}\n`;
}

function locate(error: JqSyntaxError, text: string): string {
  const before = text.slice(0, error.at);
  const line = before.split("\n").length;
  const start = before.lastIndexOf("\n") + 1;
  const end = text.indexOf("\n", start);
  const shown = text.slice(start, end === -1 ? text.length : end);
  const pad = " ".repeat(error.at - start);
  return `jq: error: ${error.message} at <top-level>, line ${line}:\n${shown}${pad}\n`;
}
