/** Patterns as one matcher over blocks of lines. */
import { escapeRegExp } from "../shell/expansion/pattern.ts";
import { RegExpSyntaxError, translateRegExp } from "./posix-regexp.ts";
import { SafeRegExp } from "./safe-regexp.ts";

export interface MatcherOptions {
  readonly syntax: "basic" | "extended" | "fixed" | "perl";
  readonly ignoreCase: boolean;
  readonly isWord: boolean;
  readonly isLine: boolean;
}

/** Matches inside text of many lines; nothing it finds crosses a line's end. */
export class LineMatcher {
  readonly #regExp: SafeRegExp;
  /** The text looked at last, and the length of its longest line. */
  #text = "";
  #lineLength = 0;
  /** Whether there is no pattern at all: nothing matches. */
  readonly isEmpty: boolean;

  constructor(patterns: readonly string[], options: MatcherOptions) {
    this.isEmpty = patterns.length === 0;
    const sources = patterns.map((pattern) => wrap(translate(pattern, options.syntax), options));
    const source = this.isEmpty
      ? "(?!)"
      : sources.length === 1
        ? (sources[0] ?? "")
        : sources.map((one) => `(?:${one})`).join("|");
    const flags = `m${options.ignoreCase ? "i" : ""}${isPlain(source) ? "" : "u"}`;
    try {
      this.#regExp = new SafeRegExp(source, flags);
    } catch (error) {
      if (error instanceof SyntaxError) throw new RegExpSyntaxError(describe(error.message));
      throw error;
    }
  }

  /** The first match from `start` on. */
  find(
    text: string,
    start: number,
  ): { readonly index: number; readonly length: number } | undefined {
    if (text !== this.#text) {
      this.#text = text;
      this.#lineLength = longestLine(text);
    }
    const match = this.#regExp.exec(text, start, this.#lineLength);
    return match === null
      ? undefined
      : { index: match.index, length: match.groups[0]?.length ?? 0 };
  }
}

function longestLine(text: string): number {
  let longest = 0;
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    longest = Math.max(longest, stop - start);
    start = stop + 1;
  }
  return longest;
}

/** ASCII letters, digits and spaces only: the engine is quicker without the flag `u`. */
function isPlain(source: string): boolean {
  return /^[\w ,:;<>='"@#%&~!-]*$/.test(source);
}

function translate(pattern: string, syntax: MatcherOptions["syntax"]): string {
  switch (syntax) {
    case "fixed":
      return escapeRegExp(pattern);
    case "perl":
      return pattern.replace(/\\h/g, "[ \\t]").replace(/(?<!\\)\(\?<([A-Za-z]\w*)>/g, "(?<$1>");
    default:
      return translateRegExp(pattern, { syntax, isMultiline: true });
  }
}

function wrap(source: string, { isWord, isLine }: MatcherOptions): string {
  if (isLine) return `^(?:${source})$`;
  return isWord ? `(?<!\\w)(?:${source})(?!\\w)` : source;
}

function describe(message: string): string {
  if (message.includes("Nothing to repeat")) return "Invalid preceding regular expression";
  if (message.includes("out of order")) return "Invalid range end";
  if (/Invalid (?:escape|named|capture)/.test(message)) return "Invalid back reference";
  return "Invalid regular expression";
}
