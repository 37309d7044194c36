/** An input as the words that give it: for examples, and for whoever wants a call as a command line. */
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "./json-kinds.ts";
import { pathFlag } from "./path-flag.ts";
import { objectFrom, readLeaf } from "./read-leaf.ts";
import { offFlag, resolveFlag } from "./resolve-flag.ts";
import { SchemaDocument } from "./schema-document.ts";
import { isSwitch, type Shape } from "./shape.ts";

/** What flags cannot say is in `--json`; read back, the words give the same input. */
export function writeFlags(schema: JsonSchema, input: JsonObject): readonly string[] {
  const document = new SchemaDocument(schema);
  const words: string[] = [];
  const rest = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(input)) {
    const flags = writePlace(document, [key], value);
    if (flags === undefined) rest.set(key, value);
    else words.push(...flags);
  }
  return rest.size === 0 ? words : ["--json", JSON.stringify(objectFrom(rest)), ...words];
}

/** Undefined where no flag gives this value at this place. */
function writePlace(
  document: SchemaDocument,
  path: readonly string[],
  value: JsonValue,
): readonly string[] | undefined {
  const flag = pathFlag(document, path);
  if (/[=\s]/.test(flag)) return undefined;
  const target = findTarget(document, flag);
  if (target === undefined || target.steps.join("\n") !== path.join("\n")) return undefined;
  const isSpread = isJsonObject(value) && (target.shape.object?.properties.size ?? 0) > 0;
  if (isSpread && Object.keys(value).length > 0) {
    const parts = Object.entries(value).map(([key, below]) =>
      writePlace(document, [...path, key], below),
    );
    const words = parts.flatMap((part) => part ?? []);
    if (!parts.includes(undefined)) return words;
  }
  return writeLeaf(document, flag, target.shape, value);
}

function findTarget(document: SchemaDocument, flag: string) {
  const isExact = flag.startsWith("--.");
  const target = resolveFlag(document, flag.slice(isExact ? 3 : 2), isExact);
  return target === undefined || "problem" in target ? undefined : target;
}

function writeLeaf(
  document: SchemaDocument,
  flag: string,
  shape: Shape,
  value: JsonValue,
): readonly string[] | undefined {
  if (typeof value === "boolean" && isSwitch(shape)) {
    return [value ? flag : offFlag(document, flag)];
  }
  const ways = [
    ...(isJsonArray(value) && value.length > 0 ? [value.map(plain)] : []),
    [plain(value)],
    [JSON.stringify(value)],
  ];
  const texts = ways.find((way) => {
    const words = way.map((text) => ({ kind: "text", text, isLiteral: true }) as const);
    const read = readLeaf(document, shape, words);
    return "value" in read && JSON.stringify(read.value) === JSON.stringify(value);
  });
  if (texts === undefined || texts.includes("-")) return undefined;
  return texts.flatMap((text) => [flag, text.startsWith("@") ? `@${text}` : text]);
}

function plain(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
