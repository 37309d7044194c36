/** From a word to the value that a shape wants. A word is only ever one value: nothing in it is a flag. */
import type { JsonValue } from "../json-schema.ts";
import { nearest } from "../nearest.ts";
import { describeChoices, describeShape } from "./describe-shape.ts";
import { parseJson } from "./json-kinds.ts";
import { allows, hasOnlyString, type Shape } from "./shape.ts";

export type ReadValue = { readonly value: JsonValue } | { readonly problem: string };

/** Characters of a refused word that are shown. */
const SHOWN_CHARACTERS = 60;

/**
 * Members of a union are tried by what the word looks like: a choice, then a number, true, false, null
 * or JSON, and a string last. Where a string would be taken for something else, it is written as JSON:
 * `--id '"5"'` is the string 5 for a schema that allows both.
 */
export function readValue(shape: Shape, text: string): ReadValue {
  if (!text.isWellFormed()) return { problem: "is not UTF-8 text (base64 it first?)" };
  if (hasOnlyString(shape)) return { value: text };
  const special = readSpecial(shape, text);
  if (special !== undefined) return special;
  if (shape.isAny || shape.hasString) return { value: unquoted(shape, text) };
  return { problem: refuse(shape, text) };
}

/** Everything but a free string; undefined where the word is none of it. */
function readSpecial(shape: Shape, text: string): ReadValue | undefined {
  const word = shape.hasString ? text : text.trim();
  const choice =
    shape.choices.find((one) => choiceText(one) === text) ??
    shape.choices.find((one) => choiceText(one) === word);
  if (choice !== undefined) return { value: choice };
  const isFree = shape.hasString || shape.isAny;
  const number = readNumber(shape, word, isFree);
  if (number !== undefined) return number;
  const plain = word === "true" ? true : word === "false" ? false : null;
  if ((plain !== null || word === "null") && allows(shape, plain)) return { value: plain };
  return readStructure(shape, word, isFree);
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const ANY_NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Beside a string only what JSON itself calls a number is one: `007` stays a string. */
function readNumber(shape: Shape, word: string, isFree: boolean): ReadValue | undefined {
  if (shape.number === undefined && !shape.isAny) return undefined;
  if (!(isFree ? JSON_NUMBER : ANY_NUMBER).test(word)) return undefined;
  const value = Number(word);
  const isInexact = Number.isInteger(value) && !Number.isSafeInteger(value);
  if (isFree && (isInexact || !Number.isFinite(value))) return undefined;
  if (!Number.isFinite(value)) return { problem: `is too large: ${shown(word)}` };
  if (shape.number === "integer" && !Number.isInteger(value)) {
    return isFree ? undefined : { problem: `needs an integer, not ${shown(word)}` };
  }
  if (shape.number === "integer" && isInexact) {
    return { problem: `is too large to be exact: ${shown(word)}` };
  }
  return { value };
}

function readStructure(shape: Shape, word: string, isFree: boolean): ReadValue | undefined {
  const isList = word.startsWith("[") && (shape.array !== undefined || shape.isAny);
  const isObject = word.startsWith("{") && (shape.object !== undefined || shape.isAny);
  if (!isList && !isObject) return undefined;
  const parsed = parseJson(word);
  if ("problem" in parsed && isFree) return undefined;
  return parsed;
}

/** The string in JSON quotes, where without them it would be taken for something else. */
function unquoted(shape: Shape, text: string): string {
  if (!/^".*"$/s.test(text)) return text;
  const parsed = parseJson(text);
  if (!("value" in parsed) || typeof parsed.value !== "string") return text;
  const inner = parsed.value;
  const isMistakable = readSpecial(shape, inner) !== undefined || unquoted(shape, inner) !== inner;
  return isMistakable ? inner : text;
}

function choiceText(choice: JsonValue): string {
  return typeof choice === "string" ? choice : JSON.stringify(choice);
}

function refuse(shape: Shape, text: string): string {
  const texts = shape.choices.map(choiceText);
  if (texts.length === 0) return `needs ${describeShape(shape)}, not ${shown(text)}`;
  const near = nearest(text.trim(), texts);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return `must be ${describeChoices(shape)}, not ${shown(text)}${hint}`;
}

export function shown(text: string): string {
  const quoted = JSON.stringify(text.toWellFormed());
  return quoted.length > SHOWN_CHARACTERS ? `${quoted.slice(0, SHOWN_CHARACTERS)}…` : quoted;
}
