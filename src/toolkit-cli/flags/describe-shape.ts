/** A shape in a few words, for messages and help. */
import type { JsonValue } from "../json-schema.ts";
import type { Shape } from "./shape.ts";

/** Choices that are listed; the others are counted. */
const LISTED_CHOICES = 12;

/** `an integer`, `one of a, b`, `a string or null`. */
export function describeShape(shape: Shape): string {
  if (shape.isAny) return "a value (JSON, or text)";
  const words = [
    ...(shape.hasString ? ["a string"] : []),
    ...(shape.number === undefined ? [] : [shape.number === "integer" ? "an integer" : "a number"]),
    ...(shape.hasBoolean ? ["true or false"] : []),
    ...(shape.choices.length > 0 ? [describeChoices(shape)] : []),
    ...(shape.array === undefined ? [] : ["a JSON list"]),
    ...(shape.object === undefined ? [] : ["a JSON object"]),
    ...(shape.hasNull ? ["null"] : []),
  ];
  return words.length === 0 ? "nothing (no value is allowed)" : words.join(" or ");
}

/** `one of open, closed`. */
export function describeChoices({ choices }: Shape): string {
  const [only] = choices;
  if (choices.length === 1 && only !== undefined) return plainText(only);
  const listed = choices.slice(0, LISTED_CHOICES).map(plainText).join(", ");
  const more = choices.length - LISTED_CHOICES;
  return `one of ${listed}${more > 0 ? ` and ${more} more` : ""}`;
}

/** What stands for the value in help: `<string>`, `<open|closed>`, `<JSON>`. */
export function placeholder(shape: Shape): string {
  const hasJson = shape.isAny || shape.array !== undefined || shape.object !== undefined;
  const names = [
    ...describeScalar({ ...shape, hasNull: false }),
    ...(hasJson ? ["JSON"] : []),
    ...(shape.hasNull ? ["null"] : []),
  ];
  return `<${[...new Set(names)].join("|")}>`;
}

/** What can be written as one word: `open`, `string`, `integer`, `null`. */
export function describeScalar(shape: Shape): readonly string[] {
  const names = [
    ...shape.choices.slice(0, LISTED_CHOICES).map(plainText),
    ...(shape.choices.length > LISTED_CHOICES ? ["…"] : []),
    ...(shape.hasString ? [shape.isBase64 ? "@FILE|base64" : (shape.format ?? "string")] : []),
    ...(shape.number === undefined ? [] : [shape.number]),
    ...(shape.hasBoolean ? ["true", "false"] : []),
    ...(shape.hasNull ? ["null"] : []),
  ];
  return [...new Set(names)];
}

function plainText(value: JsonValue): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text === "" ? '""' : text;
}
