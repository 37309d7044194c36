/** An awk program as tokens. The parser says where a `/` starts a regular expression. */
import { AwkSyntaxError } from "./awk-error.ts";
import type { Charset } from "./charset.ts";
import { readStringEscapes } from "./string-escapes.ts";

/** One part of the program: the text of `-e` or a file. */
export interface Source {
  /** What messages call it: `cmd. line`, or the file's name. */
  readonly name: string;
  readonly text: string;
  readonly isFile?: boolean;
  readonly charset: Charset;
  /** Told of what is odd and goes on: `cmd. line:1: warning: …`. */
  readonly warn: (message: string) => void;
}

export type TokenKind =
  | "number"
  | "string"
  | "regexp"
  | "name"
  /** A name with `(` right behind it that is no keyword or builtin. */
  | "call"
  | "builtin"
  | "keyword"
  | "operator"
  | "newline"
  | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The name, the operator, the string's value. */
  readonly text: string;
  readonly value: number;
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

const keywords = new Set(
  `BEGIN END BEGINFILE ENDFILE function func if else while do for in break continue next nextfile exit
return delete getline print printf switch case default`.split(/\s+/),
);

export const builtinNames = new Set(
  `length substr index split sub gsub gensub match sprintf sin cos atan2 exp log sqrt int rand srand
tolower toupper system close fflush systime strftime mktime asort asorti strtonum and or xor lshift
rshift compl patsplit typeof isarray mkbool bindtextdomain dcgettext dcngettext`.split(/\s+/),
);

const operatorText =
  /\*\*=|\|&|&&|\|\||\+\+|--|\+=|-=|\*=|\/=|%=|\^=|\*\*|==|<=|>=|!=|!~|>>|[-+*/%^!<>|?:~$=,;(){}[\]@]/y;
const numberText = /(?:0[xX][0-9a-fA-F]+)|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const nameText = /[A-Za-z_][A-Za-z_0-9]*(?:::[A-Za-z_][A-Za-z_0-9]*)?/y;
const blankText = /(?:[ \t\r]|\\\r?\n|#[^\n]*)+/y;

export class Lexer {
  readonly source: Source;
  readonly #text: string;
  readonly #warned = new Set<string>();
  #at = 0;
  /** A line's start and its number, for the next search. */
  #lineKnown = { at: 0, line: 1 };

  constructor(source: Source) {
    this.source = source;
    this.#text = source.text;
  }

  /** The token at a place. */
  tokenAt(place: number): Token {
    const text = this.#text;
    blankText.lastIndex = place;
    const blank = blankText.exec(text);
    this.#at = place + (blank?.[0].length ?? 0);
    const start = this.#at;
    const first = text[start];
    if (first === undefined) return this.#token("end", "", start);
    if (first === "\n") return this.#token("newline", "\n", start + 1);
    if (first === '"') return this.#string(start);
    if (/[\d.]/.test(first)) return this.#number(start);
    if (/[A-Za-z_]/.test(first)) return this.#name(start);
    operatorText.lastIndex = start;
    const operator = operatorText.exec(text)?.[0];
    if (operator === undefined)
      throw this.error(
        start,
        first === "\\" ? "backslash not last character on line" : this.#invalid(first),
      );
    const shown = operator.replace("**", "^");
    return this.#token("operator", shown, start + operator.length);
  }

  /** The regular expression whose `/` is at `start`. */
  regExpAt(start: number): Token {
    const text = this.#text;
    let source = "";
    let inBracket = false;
    for (let at = start + 1; at < text.length; at++) {
      const character = text[at] ?? "";
      if (character === "\n") break;
      if (character === "\\" && at + 1 < text.length) {
        const next = text[at + 1] ?? "";
        at += 1;
        if (next === "\n") continue;
        source += next === "/" ? "/" : `\\${next}`;
        continue;
      }
      if (character === "[" && !inBracket) {
        inBracket = true;
        const rest = /^\[\^?\]?/.exec(text.slice(at, at + 3))?.[0] ?? "[";
        source += rest;
        at += rest.length - 1;
        continue;
      }
      if (inBracket && character === "[" && /[:.=]/.test(text[at + 1] ?? "")) {
        const close = text.indexOf(`${text[at + 1]}]`, at + 2);
        if (close !== -1) {
          source += text.slice(at, close + 2);
          at = close + 1;
          continue;
        }
      }
      if (character === "]") inBracket = false;
      if (character === "/" && !inBracket) {
        this.#at = start;
        return this.#token("regexp", source, at + 1);
      }
      source += character;
    }
    throw this.error(start + 1, "unterminated regexp");
  }

  lineAt(place: number): number {
    const text = this.#text;
    let { at, line } = place >= this.#lineKnown.at ? this.#lineKnown : { at: 0, line: 1 };
    for (let end = text.indexOf("\n", at); end !== -1 && end < place; ) {
      line += 1;
      at = end + 1;
      end = text.indexOf("\n", at);
    }
    this.#lineKnown = { at, line };
    return line;
  }

  /** `name:line` of a place. */
  where(place: number): string {
    return `${this.source.name}:${this.lineAt(place)}`;
  }

  /** gawk shows the line and a caret below the place. */
  error(place: number, message: string): AwkSyntaxError {
    const text = this.#text;
    const start = place === 0 ? 0 : text.lastIndexOf("\n", place - 1) + 1;
    const end = text.indexOf("\n", start);
    const shown = text.slice(start, end === -1 ? text.length : end);
    const indent = shown.slice(0, place - start).replace(/[^\t]/g, " ");
    // A newline that was read counts already.
    const line = this.lineAt(place) + (text[place] === "\n" ? 1 : 0);
    const where = `${this.source.name}:${line}: `;
    return new AwkSyntaxError([`${where}${shown}`, `${where}${indent}^ ${message}`]);
  }

  /** The program ends within a rule. */
  endError(): AwkSyntaxError {
    const text = this.#text;
    if (this.source.isFile !== true)
      return this.error(text.length, "unexpected newline or end of string");
    const last = text.length - text.lastIndexOf("\n") - 1;
    const where = `${this.source.name}:${text.split("\n").length - (last === 0 ? 1 : 0)}: `;
    const indent = " ".repeat(Math.max(0, last - 1));
    return new AwkSyntaxError([
      `${where}(END OF FILE)`,
      `${where}${indent}^ source files / command-line arguments must contain complete functions or rules`,
    ]);
  }

  #invalid(character: string): string {
    return `invalid char '${character}' in expression`;
  }

  #string(start: number): Token {
    const text = this.#text;
    for (let at = start + 1; at < text.length; at++) {
      const character = text[at];
      if (character === "\\") {
        at += 1;
        continue;
      }
      if (character === "\n") break;
      if (character === '"') {
        const value = this.#readEscapes(text.slice(start + 1, at), start);
        return this.#token("string", value, at + 1);
      }
    }
    throw this.error(start, "unterminated string");
  }

  #readEscapes(text: string, place: number): string {
    return readStringEscapes(text, this.source.charset, (letter) =>
      this.#warnEscape(letter, place),
    );
  }

  #warnEscape(letter: string, place: number): void {
    if (this.#warned.has(letter)) return;
    this.#warned.add(letter);
    this.source.warn(
      `${this.where(place)}: warning: escape sequence \`\\${letter}' treated as plain \`${letter}'`,
    );
  }

  #number(start: number): Token {
    const text = this.#text;
    numberText.lastIndex = start;
    const found = numberText.exec(text)?.[0];
    if (found === undefined) throw this.error(start, "syntax error");
    const value = /^0[0-7]+$/.test(found) ? Number.parseInt(found, 8) : Number(found);
    return { ...this.#token("number", found, start + found.length), value };
  }

  #name(start: number): Token {
    const text = this.#text;
    nameText.lastIndex = start;
    const name = nameText.exec(text)?.[0] ?? "";
    const end = start + name.length;
    if (keywords.has(name)) return this.#token("keyword", name === "func" ? "function" : name, end);
    if (builtinNames.has(name)) return this.#token("builtin", name, end);
    return this.#token(text[end] === "(" ? "call" : "name", name, end);
  }

  #token(kind: TokenKind, text: string, end: number): Token {
    return { kind, text, value: 0, start: this.#at, end, line: this.lineAt(this.#at) };
  }
}
