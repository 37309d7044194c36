import { ToolError } from "../tool-event.ts";
import { plainText } from "./plain-text.ts";

/** What `agentos list`, `search` and `describe` take. */
export interface ListOptions {
  readonly operands: readonly string[];
  readonly isJson: boolean;
  readonly isFull: boolean;
  readonly limit: number;
}

const DEFAULT_LIMIT = 10;
const LARGEST_LIMIT = 100;

/** Fails with a ToolError "usage". */
export function readListOptions(words: readonly string[], operandLimit: number): ListOptions {
  const operands: string[] = [];
  const values = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (!/^-./s.test(word)) {
      operands.push(word);
      continue;
    }
    const [, name = "", inline] = /^--(output|limit|full)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === "") throw new ToolError("usage", `there is no flag ${plainText(word)}`);
    const isValueNext = name !== "full" && inline === undefined;
    if (isValueNext) at += 1;
    values.set(name, (isValueNext ? words[at] : inline) ?? "");
  }
  const extra = operands[operandLimit];
  if (extra !== undefined) throw new ToolError("usage", `${plainText(extra)} is one word too many`);
  return {
    operands,
    isJson: readOutput(values.get("output") ?? "text"),
    isFull: values.has("full"),
    limit: readLimit(values.get("limit") ?? String(DEFAULT_LIMIT)),
  };
}

function readOutput(word: string): boolean {
  if (word !== "json" && word !== "text") {
    throw new ToolError("usage", "--output must be json or text");
  }
  return word === "json";
}

function readLimit(word: string): number {
  const limit = /^\d{1,6}$/.test(word) ? Number(word) : 0;
  if (limit < 1 || limit > LARGEST_LIMIT) {
    throw new ToolError("usage", `--limit must be a number from 1 to ${LARGEST_LIMIT}`);
  }
  return limit;
}
