/**
 * Shell patterns (`*`, `?`, `[…]`, extended globs) as regular expressions. In a pattern a backslash
 * quotes the next character; `escapePattern` makes text match itself.
 */
import { SafeRegExp } from "../../programs/safe-regexp.ts";

export function escapePattern(text: string): string {
  return text.replace(/[\\*?[\]()|!+@^-]/g, "\\$&");
}

/** Whether `escapePattern` would change it. */
export function isSpecial(text: string): boolean {
  return /[\\*?[\]()|!+@^-]/.test(text);
}

/** Whether a pattern has anything but text that matches itself. */
export function isPattern(pattern: string): boolean {
  const bare = pattern.includes("\\") ? pattern.replace(/\\[^]/gu, "") : pattern;
  if (/[*?]|[+@!]\(/.test(bare)) return true;
  const open = bare.indexOf("[");
  return open !== -1 && bare.includes("]", open);
}

/** Whether `!(…)` is in it. */
export function hasNegation(pattern: string): boolean {
  return pattern.includes("!(") && /(?<!\\)!\(/.test(pattern);
}

/** The text a pattern without wildcards matches. */
export function unescapePattern(pattern: string): string {
  return pattern.replace(/\\([^])/gu, "$1");
}

export interface PatternOptions {
  /** Whether `*` takes as little as it can; for the shortest match. */
  readonly isLazy?: boolean;
  readonly ignoreCase?: boolean;
  /** `*` and `?` do not match a slash. */
  readonly isPath?: boolean;
  /** False where `extglob` is off: `@(` is plain text. */
  readonly isExtended?: boolean;
}

/** The regular expression's source, without anchors, for the flags `su`. */
export function patternSource(pattern: string, options: PatternOptions = {}): string {
  return new Compiler(pattern, options).compile();
}

/** A regular expression that matches the whole text. */
export function compilePattern(pattern: string, options: PatternOptions = {}): SafeRegExp {
  return makeRegExp(`^(?:${patternSource(pattern, options)})$`, options.ignoreCase === true);
}

/** A pattern that no regular expression can say (`[z-a]`) matches nothing. */
export function makeRegExp(source: string, ignoreCase = false): SafeRegExp {
  try {
    return new SafeRegExp(source, ignoreCase ? "sui" : "su");
  } catch (error) {
    if (error instanceof SyntaxError) return new SafeRegExp("(?!)", "");
    throw error;
  }
}

export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

class Compiler {
  readonly #pattern: string;
  readonly #any: string;
  readonly #star: string;
  readonly #isLazy: boolean;
  readonly #isExtended: boolean;
  #at = 0;

  constructor(pattern: string, { isLazy, isPath, isExtended }: PatternOptions) {
    this.#pattern = pattern;
    this.#isLazy = isLazy === true;
    this.#isExtended = isExtended !== false;
    this.#any = isPath === true ? "[^/]" : ".";
    this.#star = this.#any + (isLazy === true ? "*?" : "*");
  }

  compile(): string {
    return this.#sequence("");
  }

  /** Compiles up to one of `stops`, which is left in place. */
  #sequence(stops: string): string {
    let source = "";
    while (this.#at < this.#pattern.length) {
      const character = this.#next();
      if (stops.includes(character)) return source;
      if (this.#opensGroup(character)) {
        const group = this.#group(character, stops);
        if (group !== undefined) {
          source += group;
          continue;
        }
      }
      this.#at += character.length;
      source += this.#single(character);
    }
    return source;
  }

  #opensGroup(character: string): boolean {
    return this.#isExtended && "?*+@!".includes(character) && this.#pattern[this.#at + 1] === "(";
  }

  #next(): string {
    return String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
  }

  #single(character: string): string {
    switch (character) {
      case "*":
        while (
          this.#pattern[this.#at] === "*" &&
          !(this.#isExtended && this.#pattern[this.#at + 1] === "(")
        )
          this.#at += 1;
        return this.#star;
      case "?":
        return this.#any;
      case "[":
        return this.#bracket();
      case "\\": {
        if (this.#at >= this.#pattern.length) return "\\\\";
        const quoted = this.#next();
        this.#at += quoted.length;
        return escapeRegExp(quoted);
      }
      default:
        return escapeRegExp(character);
    }
  }

  /** `!(a|b)` needs what follows it: it takes any text that the alternatives, so followed, do not. */
  #group(operator: string, stops: string): string | undefined {
    const start = this.#at;
    this.#at += 2;
    const alternatives: string[] = [];
    for (;;) {
      alternatives.push(this.#sequence("|)"));
      const end = this.#pattern[this.#at];
      this.#at += 1;
      if (end === ")") break;
      if (end !== undefined) continue;
      this.#at = start;
      return undefined;
    }
    const body = `(?:${alternatives.join("|")})`;
    if (operator === "@") return body;
    if (operator !== "!") return `${body}${operator}${this.#isLazy ? "?" : ""}`;
    const rest = this.#sequence(stops);
    return `(?!${body}${rest}${stops === "" ? "$" : ""})${this.#star}${rest}`;
  }

  #bracket(): string {
    const start = this.#at;
    let at = start;
    let source = "[";
    if ("!^".includes(this.#pattern[at] ?? " ")) {
      source += "^";
      at += 1;
    }
    for (let isFirst = true; at < this.#pattern.length; isFirst = false) {
      const character = String.fromCodePoint(this.#pattern.codePointAt(at) ?? 0);
      if (character === "]" && !isFirst) {
        this.#at = at + 1;
        return source === "[" ? "(?!)" : source === "[^" ? "." : `${source}]`;
      }
      const named = /^\[:(\w+):\]/.exec(this.#pattern.slice(at, at + 16));
      if (named !== null) {
        source += classes.get(named[1] ?? "") ?? "";
        at += named[0].length;
        continue;
      }
      const isQuoted = character === "\\" && at + 1 < this.#pattern.length;
      const shown = isQuoted
        ? String.fromCodePoint(this.#pattern.codePointAt(at + 1) ?? 0)
        : character;
      source += character === "-" ? this.#dash(at, isFirst) : escapeInBrackets(shown);
      at += isQuoted ? 1 + shown.length : character.length;
    }
    this.#at = start;
    return "\\[";
  }

  /** A dash is a range only between two members. */
  #dash(at: number, isFirst: boolean): string {
    return isFirst || this.#pattern[at + 1] === "]" ? "\\-" : "-";
  }
}

function escapeInBrackets(character: string): string {
  return /[\\\]^[-]/.test(character) ? `\\${character}` : character;
}

/** POSIX character classes inside brackets, in Unicode's terms. A byte that is no UTF-8, a lone surrogate, is in none. */
export const classes: ReadonlyMap<string, string> = new Map([
  ["alpha", "\\p{L}"],
  ["digit", "0-9"],
  ["alnum", "\\p{L}0-9"],
  ["upper", "\\p{Lu}"],
  ["lower", "\\p{Ll}"],
  ["space", "\\s"],
  ["blank", " \\t"],
  ["punct", "!-\\/:-@\\[-`\\{-~"],
  ["print", " -~\\u{a0}-\\u{d7ff}\\u{e000}-\\u{10ffff}"],
  ["graph", "!-~\\u{a1}-\\u{d7ff}\\u{e000}-\\u{10ffff}"],
  ["cntrl", "\\x00-\\x1f\\x7f"],
  ["xdigit", "0-9A-Fa-f"],
  ["word", "\\p{L}0-9_"],
  ["ascii", "\\x00-\\x7f"],
]);
