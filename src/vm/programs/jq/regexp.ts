/** Oniguruma's regular expressions, on the bounded matcher. */

import { type SafeMatch, SafeRegExp } from "../safe-regexp.ts";
import { typeError } from "./arithmetic.ts";
import { checkSize, isArray, isObject, JqError, typeOf, type Value } from "./value.ts";

interface Pattern {
  readonly regExp: SafeRegExp;
  readonly names: readonly (string | null)[];
}

interface Flags {
  readonly isGlobal: boolean;
  readonly isNotEmpty: boolean;
  readonly ignoresCase: boolean;
  readonly isExtended: boolean;
  readonly isDotAll: boolean;
}

/** `_match(re; flags; isTest)`: the matches, or whether there is one. Fails with a JqError. */
export function matchAll(
  input: Value,
  [re = null, modifiers = null, isTest = null]: readonly Value[],
): Value {
  const [source, given] = isArray(re) ? [re[0] ?? null, re[1] ?? modifiers] : [re, modifiers];
  if (!isArray(re) && typeof re !== "string")
    throw new JqError(`${typeOf(re)} not a string or array`);
  if (typeof input !== "string") throw typeError(input, "cannot be matched, as it is not a string");
  if (typeof source !== "string")
    throw typeError(source, "cannot be matched, as it is not a string");
  const flags = readFlags(given);
  const pattern = compilePattern(source, flags, input.endsWith("\n"));
  if (isTest === true) return findNext(pattern, input, 0, flags) !== null;
  const found: Value[] = [];
  const points = new PointCounter(input);
  for (let from = 0; ; ) {
    const match = findNext(pattern, input, from, flags);
    if (match === null) break;
    checkSize(found.push(describeMatch(match, pattern, points)));
    const length = match.groups[0]?.length ?? 0;
    from =
      match.index +
      length +
      (length > 0 ? 0 : (input.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1);
    if (!flags.isGlobal || from > input.length) break;
  }
  return found;
}

function findNext(pattern: Pattern, text: string, from: number, flags: Flags): SafeMatch | null {
  let at = from;
  for (;;) {
    const match = pattern.regExp.exec(text, at);
    if (match === null || !flags.isNotEmpty || match.groups[0] !== "") return match;
    at = match.index + 1;
    if (at > text.length) return null;
  }
}

/** Code units to code points, moving forward. */
class PointCounter {
  readonly #text: string;
  #unit = 0;
  #point = 0;

  constructor(text: string) {
    this.#text = text;
  }

  at(unit: number): number {
    if (unit < this.#unit) {
      this.#unit = 0;
      this.#point = 0;
    }
    for (; this.#unit < unit; this.#unit++)
      if ((this.#text.charCodeAt(this.#unit) & 0xfc00) !== 0xdc00) this.#point += 1;
    return this.#point;
  }
}

function describeMatch(match: SafeMatch, { names }: Pattern, points: PointCounter): Value {
  const [whole = "", ...groups] = match.groups;
  const captures = groups.map((text, at): Value => {
    const start = match.spans?.[at + 1]?.[0] ?? match.index;
    if (text === undefined) {
      return new Map<string, Value>([
        ["offset", whole === "" ? points.at(match.index) : -1],
        ["string", whole === "" ? "" : null],
        ["length", 0],
        ["name", names[at] ?? null],
      ]);
    }
    return new Map<string, Value>([
      ["offset", points.at(start)],
      ["length", [...text].length],
      ["string", text],
      ["name", names[at] ?? null],
    ]);
  });
  return new Map<string, Value>([
    ["offset", points.at(match.index)],
    ["length", [...whole].length],
    ["string", whole],
    ["captures", captures],
  ]);
}

/** `_capture`: the named groups of a match. */
export function namedCaptures(match: Value): Value {
  const made = new Map<string, Value>();
  const captures = isObject(match) ? (match.get("captures") ?? null) : null;
  for (const capture of isArray(captures) ? captures : []) {
    const name = isObject(capture) ? capture.get("name") : null;
    if (typeof name === "string" && isObject(capture))
      made.set(name, capture.get("string") ?? null);
  }
  return made;
}

function readFlags(value: Value): Flags {
  if (value !== null && typeof value !== "string") throw typeError(value, "is not a string");
  const letters = value ?? "";
  if (/[^gimnpslx]/.test(letters)) throw new JqError(`${letters} is not a valid modifier string`);
  return {
    isGlobal: letters.includes("g"),
    isNotEmpty: letters.includes("n"),
    ignoresCase: letters.includes("i"),
    isExtended: letters.includes("x"),
    isDotAll: letters.includes("p"),
  };
}

function compilePattern(source: string, flags: Flags, endsInLineFeed: boolean): Pattern {
  const inline = /^\(\?([imx]+)\)/.exec(source);
  const letters = inline?.[1] ?? "";
  const body = source.slice(inline?.[0].length ?? 0);
  const text = translate(
    flags.isExtended || letters.includes("x") ? stripBlanks(body) : body,
    endsInLineFeed,
  );
  const ignoresCase = flags.ignoresCase || letters.includes("i");
  const isDotAll = flags.isDotAll || letters.includes("m");
  try {
    const regExp = new SafeRegExp(text, `du${ignoresCase ? "i" : ""}${isDotAll ? "s" : ""}`);
    return { regExp, names: groupNames(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new JqError(`Regex failure: ${describeProblem(source, error)}`);
  }
}

function describeProblem(source: string, error: SyntaxError): string {
  if (/Unterminated group/i.test(error.message)) return "end pattern with unmatched parenthesis";
  if (/Unmatched '\)'/i.test(error.message)) return "unmatched close parenthesis";
  if (/Nothing to repeat/i.test(error.message)) return "target of repeat operator is not specified";
  if (/Unterminated character class/i.test(error.message)) return "premature end of char-class";
  if (/\\ at end/i.test(error.message)) return "end pattern at escape";
  return `invalid pattern: ${source}`;
}

/** Of the groups in order, null for those without a name. */
function groupNames(source: string): (string | null)[] {
  const bare = source.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, "");
  return Array.from(bare.matchAll(/\((?!\?)|\(\?<([A-Za-z_]\w*)>/g), (match) => match[1] ?? null);
}

/** Free spacing: blanks and comments outside of classes mean nothing. */
function stripBlanks(source: string): string {
  return source.replaceAll(
    /(\\[^]|\[(?:\\[^]|[^\]\\])*\])|\s+|#[^\n]*/g,
    (_, kept?: string) => kept ?? "",
  );
}

const posixClasses = new Map(
  Object.entries({
    alpha: "\\p{L}",
    digit: "\\d",
    alnum: "\\p{L}\\p{N}",
    upper: "\\p{Lu}",
    lower: "\\p{Ll}",
    space: "\\s",
    blank: " \\t",
    punct: "\\p{P}\\p{S}",
    cntrl: "\\p{Cc}",
    xdigit: "0-9a-fA-F",
    word: "\\w",
    print: "\\x20-\\x7e\\u{a0}-\\u{10ffff}",
    graph: "\\x21-\\x7e\\u{a1}-\\u{10ffff}",
  }),
);

const token =
  /\\[^]?|\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|\(\?#[^)]*\)|\(\?>|\(\?[imx-]*:|([*+?]|\{\d*,?\d*\})\+|\$|\{|\}|[^]/gu;

/** What JavaScript says for what Oniguruma says. */
function translate(source: string, endsInLineFeed: boolean): string {
  let depthOfBrace = 0;
  return source.replaceAll(token, (piece, quantified?: string) => {
    if (piece.startsWith("\\")) return translateEscape(piece);
    if (piece.startsWith("[") && piece.length > 1) return translateClass(piece);
    if (piece.startsWith("(?#")) return "";
    if (piece === "(?>" || /^\(\?[imx-]*:/.test(piece)) return "(?:";
    if (quantified !== undefined) return quantified;
    if (piece === "$") return endsInLineFeed ? "(?=\\n?$)" : "$";
    if (piece === "{") {
      depthOfBrace += 1;
      return "{";
    }
    if (piece === "}") {
      depthOfBrace -= 1;
      return depthOfBrace < 0 ? "\\}" : "}";
    }
    return piece;
  });
}

function translateEscape(piece: string): string {
  const letter = piece.slice(1);
  switch (letter) {
    case "A":
      return "^";
    case "z":
      return "$";
    case "Z":
      return "(?=\\n?$)";
    case "h":
      return "[0-9a-fA-F]";
    case "H":
      return "[^0-9a-fA-F]";
    case "R":
      return "(?:\\r\\n|[\\n-\\r])";
    case "a":
      return "\\x07";
    case "e":
      return "\\x1b";
    default:
      return /^[\^$\\.*+?()[\]{}|/bBdDwWsSnrtvfxukpPc0-9]$/.test(letter)
        ? piece
        : quoteCharacter(letter);
  }
}

function quoteCharacter(character: string): string {
  return /^[-&]$/.test(character) ? `\\x${character.charCodeAt(0).toString(16)}` : character;
}

function translateClass(piece: string): string {
  const isNegated = piece.startsWith("[^");
  const inner = piece
    .slice(isNegated ? 2 : 1, -1)
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => posixClasses.get(name) ?? whole)
    .replaceAll(/\\([^])|([^\\])/gu, (whole, escaped?: string) => {
      if (escaped === undefined) return /^[[\]]$/.test(whole) ? `\\${whole}` : whole;
      if (escaped === "h") return "0-9a-fA-F";
      return /^[\^$\\.*+?()[\]{}|/bdDwWsSnrtvfxupPc0-9-]$/.test(escaped) ? whole : escaped;
    });
  return `[${isNegated ? "^" : ""}${inner}]`;
}
