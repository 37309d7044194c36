/** Names, keys, literals and comments as TypeScript writes them; whatever they are made from is hostile. */
import type { JsonValue } from "../json-schema.ts";
import { splitWords } from "../names.ts";

/** A longer literal says nothing to a reader: its type stands for it. */
const LITERAL_LIMIT_CHARACTERS = 120;
const COMMENT_LIMIT_CHARACTERS = 160;
const NAME_LIMIT_CHARACTERS = 60;

/** A property's name: bare where it can be, else quoted. */
export function propertyKey(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : JSON.stringify(name);
}

/** `IssueState` of `issue-state`; never empty, never what JavaScript or TypeScript has by that name. */
export function typeName(words: string): string {
  const name = splitWords(words.slice(0, 4 * NAME_LIMIT_CHARACTERS))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")
    .slice(0, NAME_LIMIT_CHARACTERS);
  const bare = propertyKey(name) === name && name !== "" ? name : `Type${name}`;
  const usable = propertyKey(bare) === bare ? bare : "Type";
  return usable in globalThis || languageTypes.has(usable) ? `${usable}Type` : usable;
}

/** Types of TypeScript's own library that no value has the name of. */
const languageTypes = new Set(
  (
    "AsyncIterable AsyncIterableIterator Awaited ConstructorParameters Exclude Extract InstanceType Iterable " +
    "IterableIterator NonNullable Omit Parameters Partial Pick PromiseLike PropertyKey Readonly ReadonlyArray " +
    "ReadonlyMap ReadonlySet Record Required ReturnType ThisType TemplateStringsArray " +
    // Ours.
    "ExecOptions ExecResult NoToolkits NoTools Tool ToolOptions ToolWithDefaults"
  ).split(" "),
);

/** The value as a literal type, or the type it is of where that would be long. */
export function literalType(value: JsonValue): string {
  if (value === null || typeof value === "boolean" || typeof value === "number")
    return String(value);
  if (typeof value !== "string") return Array.isArray(value) ? "any[]" : "Record<string, any>";
  return value.length > LITERAL_LIMIT_CHARACTERS ? "string" : JSON.stringify(value);
}

/** One line that ends where it should, whatever the words are; "" for no words. */
export function docComment(words: string, limit = COMMENT_LIMIT_CHARACTERS): string {
  const line = words
    .slice(0, 4 * limit)
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .replaceAll("*/", "* /")
    .trim();
  if (line === "") return "";
  if (line.length <= limit) return `/** ${line} */`;
  return `/** ${line.slice(0, limit - 1).trimEnd()}… */`;
}
