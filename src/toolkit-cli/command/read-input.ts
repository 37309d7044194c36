/** The words behind a tool's name: the input they say, and how the result is wanted. */
import type { Sys } from "../../kernel/index.ts";
import type { ToolDescription } from "../description.ts";
import { REQUEST_LIMIT_BYTES } from "../device-protocol.ts";
import { buildInput } from "../flags/build-input.ts";
import { expandText, expandWords, ValueProblem } from "../flags/expand-words.ts";
import { isJsonObject, type JsonObject, parseJson } from "../flags/json-kinds.ts";
import { type CommandWords, readWords } from "../flags/read-words.ts";
import { ToolError } from "../tool-event.ts";
import { callFlags } from "./call-options.ts";
import { GuestValues } from "./guest-values.ts";

export function readCallWords(tool: ToolDescription, words: readonly string[]): CommandWords {
  return readWords(tool.input, callFlags, words);
}

/** Fails with a ToolError "usage" that names everything that is wrong. */
export async function readInput(
  sys: Sys,
  tool: ToolDescription,
  { given, builtIn, problems }: CommandWords,
): Promise<JsonObject> {
  const found = [...problems];
  const source = new GuestValues(sys);
  const bases: JsonObject[] = [];
  for (const path of builtIn.get("json-file") ?? []) {
    const read = () => (path === "-" ? source.stdin() : source.file(path));
    await collect("--json-file", read, bases, found);
  }
  for (const text of builtIn.get("json") ?? []) {
    await collect("--json", () => expandText(text, source), bases, found);
  }
  const expanded = await expandWords(given, source);
  found.push(...expanded.problems);
  const built = buildInput(tool.input, bases, expanded.given, found.length === 0);
  refuse([...found, ...built.problems]);
  if (JSON.stringify(built.input).length > REQUEST_LIMIT_BYTES) {
    throw new ToolError("usage", "the input is larger than a call may be");
  }
  return built.input;
}

async function collect(
  flag: string,
  read: () => Promise<string>,
  bases: JsonObject[],
  problems: string[],
): Promise<void> {
  let text: string;
  try {
    text = await read();
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error;
    problems.push(`${flag}: ${error.message}`);
    return;
  }
  const parsed = parseJson(text);
  if ("problem" in parsed) problems.push(`${flag} ${parsed.problem}`);
  else if (isJsonObject(parsed.value)) bases.push(parsed.value);
  else problems.push(`${flag} must be a JSON object: {"flag": value, …}`);
}

function refuse(problems: readonly string[]): void {
  const [only] = problems;
  if (only === undefined) return;
  if (problems.length === 1) throw new ToolError("usage", only);
  throw new ToolError("usage", `${problems.length} things are wrong`, {
    issues: problems.map((message) => ({ path: [], message })),
  });
}
