/** Builtins on strings. */
import { encodeText } from "../../../kernel/index.ts";
import { typeError } from "./arithmetic.ts";
import { toText } from "./formats.ts";
import { isNumeric, JsonParser, JsonSyntaxError } from "./json-parser.ts";
import { toJson } from "./json-writer.ts";
import { parseNumber } from "./number-text.ts";
import { isArray, isNumber, JqError, numberOf, type Value } from "./value.ts";

type Native = (input: Value, args: readonly Value[]) => Value;

/** Each by `name/arity`, for the table of natives. */
export function textFunctions(): [string, Native][] {
  return [
    ["tostring/0", toText],
    ["tonumber/0", toNumber],
    ["tojson/0", toJson],
    ["fromjson/0", fromJson],
    ["utf8bytelength/0", byteLength],
    ["explode/0", explode],
    ["implode/0", implode],
    ["ascii_downcase/0", (input) => changeCase(input, /[A-Z]/g)],
    ["ascii_upcase/0", (input) => changeCase(input, /[a-z]/g)],
    [
      "ltrimstr/1",
      (input, [text = null]) => (starts(input, text) ? cut(input, text, "left") : input),
    ],
    [
      "rtrimstr/1",
      (input, [text = null]) => (ends(input, text) ? cut(input, text, "right") : input),
    ],
    ["trimstr/1", trimText],
    ["startswith/1", (input, [text = null]) => needsTexts(input, text, "startswith", starts)],
    ["endswith/1", (input, [text = null]) => needsTexts(input, text, "endswith", ends)],
    ["trim/0", (input) => trim(input, /^\s+|\s+$/g)],
    ["ltrim/0", (input) => trim(input, /^\s+/)],
    ["rtrim/0", (input) => trim(input, /\s+$/)],
  ];
}

function toNumber(value: Value): Value {
  if (isNumber(value)) return value;
  if (typeof value !== "string") throw typeError(value, "cannot be parsed as a number");
  const text = value.trim();
  if (text === "nan") return Number.NaN;
  if (!isNumeric(text)) throw numberProblem(value);
  return parseNumber(text);
}

/** jq reads the text as JSON, and says what that says. */
function numberProblem(text: string): JqError {
  try {
    fromJson(text);
  } catch (error) {
    if (error instanceof JqError) return error;
    throw error;
  }
  return typeError(text, "cannot be parsed as a number");
}

function fromJson(value: Value): Value {
  if (typeof value !== "string") throw typeError(value, "only strings can be parsed");
  const parser = new JsonParser();
  try {
    parser.push(value);
    const first = parser.next();
    if (first === undefined) return parser.end() ?? null;
    if (parser.next() !== undefined || parser.end() !== undefined)
      throw new JsonSyntaxError("Unexpected extra JSON values");
    return first;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new JqError(`${error.message} (while parsing '${value}')`);
  }
}

function byteLength(value: Value): Value {
  if (typeof value !== "string") throw typeError(value, "only strings have UTF-8 byte length");
  return encodeText(value).length;
}

function explode(value: Value): Value {
  if (typeof value !== "string") throw new JqError("explode input must be a string");
  return Array.from(value, (one) => one.codePointAt(0) ?? 0);
}

function implode(value: Value): Value {
  if (!isArray(value)) throw new JqError("implode input must be an array");
  return value
    .map((one) => {
      if (!isNumber(one) || Number.isNaN(numberOf(one)))
        throw typeError(one, "can't be imploded, unicode codepoint needs to be numeric");
      const code = numberOf(one);
      const isCharacter = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      return String.fromCodePoint(isCharacter ? Math.trunc(code) : 0xfffd);
    })
    .join("");
}

function changeCase(value: Value, letters: RegExp): Value {
  if (typeof value !== "string") throw new JqError("explode input must be a string");
  return value.replaceAll(letters, (one) => String.fromCharCode(one.charCodeAt(0) ^ 32));
}

function starts(value: Value, text: Value): boolean {
  return typeof value === "string" && typeof text === "string" && value.startsWith(text);
}

function ends(value: Value, text: Value): boolean {
  return typeof value === "string" && typeof text === "string" && value.endsWith(text);
}

function cut(value: Value, text: Value, side: "left" | "right"): Value {
  if (typeof value !== "string" || typeof text !== "string") return value;
  return side === "left" ? value.slice(text.length) : value.slice(0, value.length - text.length);
}

function trimText(value: Value, [text = null]: readonly Value[]): Value {
  const left = starts(value, text) ? cut(value, text, "left") : value;
  return ends(left, text) ? cut(left, text, "right") : left;
}

function needsTexts(
  value: Value,
  text: Value,
  name: string,
  check: (value: Value, text: Value) => boolean,
): boolean {
  if (typeof value !== "string" || typeof text !== "string")
    throw new JqError(`${name}() requires string inputs`);
  return check(value, text);
}

function trim(value: Value, blanks: RegExp): Value {
  if (typeof value !== "string") throw typeError(value, "cannot be trimmed");
  return value.replace(blanks, "");
}
