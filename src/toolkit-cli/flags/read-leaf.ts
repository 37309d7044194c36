/** What one flag was given, one or several times, as one value. */
import type { JsonValue } from "../json-schema.ts";
import { isJsonArray, parseJson } from "./json-kinds.ts";
import { type ReadValue, readValue, shown } from "./read-value.ts";
import type { GivenWord } from "./read-words.ts";
import { itemOf } from "./resolve-flag.ts";
import type { SchemaDocument } from "./schema-document.ts";
import { type ArrayShape, allows, isScalar, type ObjectShape, type Shape } from "./shape.ts";

/**
 * A list takes a value each time its flag is given; a JSON list counts as its items. Where no item can
 * have a comma in it (numbers, true and false, most choices) commas separate items, too.
 */
export function readLeaf(
  document: SchemaDocument,
  shape: Shape,
  words: readonly GivenWord[],
): ReadValue {
  const [first, ...others] = words;
  if (first?.kind === "switch" && others.length === 0) return { value: first.isOn };
  const texts = words.flatMap((word) => (word.kind === "text" ? [word.text] : []));
  if (texts.length < words.length) return { problem: "is given twice" };
  const [text = ""] = texts;
  const { array, object } = shape;
  if (array !== undefined && !isBetterAlone(shape, texts)) return readList(document, array, texts);
  const isRecord = object !== undefined && object.properties.size === 0 && !shape.hasString;
  if (isRecord && texts.every((one) => /^[^={[]+=/s.test(one))) {
    return readPairs(document, object, texts);
  }
  return others.length > 0
    ? { problem: "is given more than once, and takes one value" }
    : readValue(shape, text);
}

/** For `string | string[]`: one word that is no list is the string. */
function isBetterAlone(shape: Shape, texts: readonly string[]): boolean {
  const [text = ""] = texts;
  if (texts.length !== 1) return false;
  const alone = readValue({ ...shape, array: undefined }, text);
  if ("problem" in alone) return false;
  const parsed = text.trimStart().startsWith("[") ? parseJson(text) : undefined;
  return parsed === undefined || "problem" in parsed;
}

function readList(
  document: SchemaDocument,
  array: ArrayShape,
  texts: readonly string[],
): ReadValue {
  const values: JsonValue[] = [];
  for (const text of texts) {
    const shape = document.shapeOf(itemOf(array, values.length));
    const list = readJsonList(shape, text);
    if (list !== undefined) {
      values.push(...list);
      continue;
    }
    const parts = canSplit(shape) ? text.split(",") : [text];
    for (const part of parts) {
      const read = readValue(document.shapeOf(itemOf(array, values.length)), part);
      if ("problem" in read) return read;
      values.push(read.value);
    }
  }
  return { value: values };
}

/** The items of a JSON list that fit; a list that is itself an item is no list of items. */
function readJsonList(shape: Shape, text: string): readonly JsonValue[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  const parsed = parseJson(text);
  if ("problem" in parsed || !isJsonArray(parsed.value)) return undefined;
  const fits = parsed.value.every((item) => allows(shape, item));
  if (fits) return parsed.value;
  const isItem = allows(shape, parsed.value) || shape.hasString;
  return isItem ? undefined : parsed.value;
}

function canSplit(shape: Shape): boolean {
  const hasComma = shape.choices.some((choice) => JSON.stringify(choice).includes(","));
  return isScalar(shape) && !shape.hasString && !hasComma;
}

/** `--labels key=value`, for records. */
function readPairs(
  document: SchemaDocument,
  object: ObjectShape,
  texts: readonly string[],
): ReadValue {
  const shape = document.shapeOf(object.rest);
  const values = new Map<string, JsonValue>();
  for (const text of texts) {
    const end = text.indexOf("=");
    const key = text.slice(0, end);
    const read = readValue(shape, text.slice(end + 1));
    if ("problem" in read) return { problem: `${shown(key)} ${read.problem}` };
    if (values.has(key)) return { problem: `has ${shown(key)} twice` };
    values.set(key, read.value);
  }
  return { value: objectFrom(values) };
}

/** An object without a prototype: every key is an ordinary one. */
export function objectFrom(entries: Iterable<readonly [string, JsonValue]>): JsonValue {
  const object: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of entries) object[key] = value;
  return object;
}
