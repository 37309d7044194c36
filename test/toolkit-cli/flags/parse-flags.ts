import { buildInput } from "../../../src/toolkit-cli/flags/build-input.ts";
import { expandWords, ValueProblem } from "../../../src/toolkit-cli/flags/expand-words.ts";
import { isJsonObject, parseJson } from "../../../src/toolkit-cli/flags/json-kinds.ts";
import { readWords } from "../../../src/toolkit-cli/flags/read-words.ts";
import type { JsonSchema, JsonValue } from "../../../src/toolkit-cli/json-schema.ts";

export const builtIn = new Map([
  ["help", false],
  ["json", true],
  ["json-file", true],
  ["output", true],
  ["fields", true],
  ["full", false],
]);

export interface Parsed {
  readonly input: JsonValue;
  readonly problems: readonly string[];
}

/** The whole way from words to input, files and stdin given. */
export async function parseFlags(
  schema: JsonSchema,
  words: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<Parsed> {
  const read = readWords(schema, builtIn, words);
  const bases = (read.builtIn.get("json") ?? []).flatMap((text) => {
    const parsed = parseJson(text);
    return "value" in parsed && isJsonObject(parsed.value) ? [parsed.value] : [];
  });
  const file = async (path: string): Promise<string> => {
    const text = files[path];
    if (text === undefined) throw new ValueProblem(`${path}: No such file`);
    return text;
  };
  const expanded = await expandWords(read.given, { file, stdin: () => file("-") });
  const problems = [...read.problems, ...expanded.problems];
  const built = buildInput(schema, bases, expanded.given, problems.length === 0);
  const input: JsonValue = JSON.parse(JSON.stringify(built.input));
  return { input, problems: [...problems, ...built.problems] };
}

/** An object schema of these properties; names that end in `!` are required. */
export function objectOf(properties: Readonly<Record<string, JsonValue>>): JsonSchema {
  const names = Object.keys(properties);
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name.replace(/!$/, ""), schema]),
    ),
    required: names.filter((name) => name.endsWith("!")).map((name) => name.slice(0, -1)),
    additionalProperties: false,
  };
}
