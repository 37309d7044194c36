/** awk's regular expressions, made once and kept. */
import { RegExpSyntaxError } from "../regexp/errors.ts";
import { SafeRegExp } from "../safe-regexp.ts";
import { AwkFatalError } from "./awk-error.ts";
import type { Charset } from "./charset.ts";
import { type Found, type FoundGroups, LongestMatch } from "./longest-match.ts";
import { readRegExpEscapes } from "./regexp-escapes.ts";
import { translateRegExp } from "./translate-regexp.ts";

/** What is kept; a program that makes ever new ones starts again from none. */
const KEPT_LIMIT = 500;

/** V8's work may grow with the square of a text's length, the automaton's does not. */
const LONG_TEXT = 8192;

/**
 * A pattern ready to search with. V8 says whether there is a match, and where for patterns whose
 * first match is the longest; the automaton finds the longest, and the groups.
 */
export class Pattern {
  /** The text itself where no character of it is special. */
  readonly #literal: string | undefined;
  readonly #regExp: SafeRegExp;
  readonly #isAmbiguous: boolean;
  readonly #longest: LongestMatch;

  constructor(regExp: SafeRegExp, longest: LongestMatch, source: string) {
    this.#regExp = regExp;
    this.#longest = longest;
    this.#literal =
      !longest.ignoreCase && /^[^\\^$.[\]|()*+?{}]+$/.test(source) ? source : undefined;
    this.#isAmbiguous = isAmbiguous(source);
  }

  test(text: string): boolean {
    if (this.#literal !== undefined) return text.includes(this.#literal);
    return text.length > LONG_TEXT
      ? this.#longest.find(text, 0) !== undefined
      : this.#regExp.test(text);
  }

  /** The first match from a place on, of those the longest. */
  find(text: string, from: number): Found | undefined {
    if (this.#literal !== undefined) {
      const index = text.indexOf(this.#literal, from);
      return index === -1 ? undefined : { index, length: this.#literal.length };
    }
    if (this.#isAmbiguous || text.length > LONG_TEXT) return this.#longest.find(text, from);
    const match = this.#regExp.exec(text, from);
    return match === null
      ? undefined
      : { index: match.index, length: match.groups[0]?.length ?? 0 };
  }

  findGroups(text: string, from: number): FoundGroups | undefined {
    return this.#longest.findGroups(text, from);
  }
}

/** Whether a match that V8 finds first may be shorter than another from the same place. */
function isAmbiguous(source: string): boolean {
  if (!/[|]|\)[*+?{]/.test(source)) return false;
  if (!/^[\w ,:;-]+(?:\|[\w ,:;-]+)*$/.test(source)) return true;
  const words = source.split("|");
  if (words.length > 100) return true;
  return words.some((word, at) =>
    words.some((other, place) => place !== at && other.startsWith(word)),
  );
}

export class Patterns {
  readonly #charset: Charset;
  readonly #kept = new Map<string, Pattern>();
  ignoreCase = false;

  constructor(charset: Charset) {
    this.#charset = charset;
  }

  /** Fails with an AwkFatalError in gawk's words. */
  get(source: string): Pattern {
    const key = this.ignoreCase ? `i${source}` : `c${source}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    if (this.#kept.size >= KEPT_LIMIT) this.#kept.clear();
    const made = makePattern(source, this.ignoreCase, this.#charset);
    this.#kept.set(key, made);
    return made;
  }
}

/** Fails with an AwkFatalError. */
function makePattern(source: string, ignoreCase: boolean, charset: Charset): Pattern {
  try {
    const posix = readRegExpEscapes(source, charset);
    const translated = translateRegExp(posix);
    const regExp = new SafeRegExp(translated, `u${ignoreCase ? "i" : ""}`);
    return new Pattern(regExp, new LongestMatch(posix, ignoreCase, charset), source);
  } catch (error) {
    if (error instanceof RegExpSyntaxError)
      throw new AwkFatalError(
        `invalid regexp: ${source === "[" ? "Invalid regular expression" : error.message}: /${source}/`,
      );
    if (error instanceof SyntaxError)
      throw new AwkFatalError(`invalid regexp: ${describe(error.message)}: /${source}/`);
    throw error;
  }
}

function describe(message: string): string {
  if (message.includes("out of order")) return "Invalid range end";
  return "Invalid preceding regular expression";
}
