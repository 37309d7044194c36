import { JqSyntaxError } from "./syntax.ts";

export interface Token {
  readonly kind:
    | "number"
    | "string"
    | "format"
    | "field"
    | "name"
    | "variable"
    | "keyword"
    | "sign"
    | "end";
  readonly text: string;
  /** Of strings: texts and the tokens of each `\(…)`. */
  readonly parts?: readonly (string | readonly Token[])[];
  readonly at: number;
  readonly end: number;
}

const keywords = new Set(
  "def if then elif else end as reduce foreach try catch label import include module and or __loc__".split(
    " ",
  ),
);
const signs =
  /\?\/\/=?|\|=|\+=|-=|\*=|\/\/=|\/=|%=|==|!=|<=|>=|\/\/|\.\.|[.[\]{}():;,|=<>+\-*/%$?]/y;
const blank = /(?:[ \t\r\n]|#(?:\\\r?\n|\\\\|\\\r|\\|[^\r\n\\]|\r(?!\n))*)+/y;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const name = /(?:[a-zA-Z_]\w*::)*[a-zA-Z_]\w*/y;
const field = /\.[a-zA-Z_]\w*/y;
const variable = /\$(?:__loc__|(?:[a-zA-Z_]\w*::)*[a-zA-Z_]\w*)/y;
const format = /@[a-zA-Z0-9_]+/y;

const UNFINISHED =
  "syntax error, unexpected $end, expecting QQSTRING_TEXT or QQSTRING_INTERP_START or QQSTRING_END (Unix shell quoting issues?)";

/** The tokens of a program. Fails with a JqSyntaxError. */
export function tokenize(text: string): readonly Token[] {
  const lexer = new Lexer(text);
  return lexer.read(undefined);
}

class Lexer {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Up to the end, or to the `)` that closes an interpolation. */
  read(closing: ")" | undefined): Token[] {
    const tokens: Token[] = [];
    let depth = 0;
    for (;;) {
      this.#take(blank);
      const at = this.#at;
      if (at >= this.#text.length) {
        if (closing !== undefined) {
          throw new JqSyntaxError(
            "syntax error, unexpected $end (Unix shell quoting issues?)",
            tokens.at(-1)?.at ?? at - 1,
          );
        }
        tokens.push({ kind: "end", text: "", at, end: at });
        return tokens;
      }
      const token = this.#next();
      if (closing !== undefined && token.kind === "sign") {
        if (token.text === "(") depth += 1;
        if (token.text === ")" && depth-- === 0) {
          tokens.push({ kind: "end", text: ")", at, end: token.end });
          return tokens;
        }
      }
      tokens.push(token);
    }
  }

  #next(): Token {
    const at = this.#at;
    const character = this.#text[at] ?? "";
    if (character === '"') return this.#string();
    const found =
      this.#token("field", field) ??
      this.#token("number", number) ??
      this.#token("format", format) ??
      this.#token("variable", variable) ??
      this.#token("name", name) ??
      this.#token("sign", signs);
    if (found === undefined) {
      throw new JqSyntaxError(`syntax error, unexpected INVALID_CHARACTER`, at, at + 1);
    }
    return found.kind === "name" && keywords.has(found.text)
      ? { ...found, kind: "keyword" }
      : found;
  }

  #token(kind: Token["kind"], pattern: RegExp): Token | undefined {
    const at = this.#at;
    const text = this.#take(pattern);
    return text === undefined ? undefined : { kind, text, at, end: this.#at };
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#text)?.[0];
    if (text !== undefined) this.#at += text.length;
    return text;
  }

  #string(): Token {
    const at = this.#at;
    this.#at += 1;
    const parts: (string | readonly Token[])[] = [];
    let literal = "";
    for (;;) {
      const chunk = this.#take(/[^"\\]+/y);
      if (chunk !== undefined) literal += chunk;
      const character = this.#text[this.#at];
      if (character === undefined) {
        throw new JqSyntaxError(UNFINISHED, at + 1);
      }
      if (character === '"') {
        this.#at += 1;
        parts.push(literal.toWellFormed());
        return { kind: "string", text: "", parts, at, end: this.#at };
      }
      if (this.#text[this.#at + 1] === "(") {
        this.#at += 2;
        parts.push(literal.toWellFormed(), this.read(")"));
        literal = "";
      } else literal += this.#escape();
    }
  }

  #escape(): string {
    const at = this.#at;
    const hex = this.#take(/\\u[0-9a-fA-F]{4}/y);
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex.slice(2), 16));
    const simple = this.#take(/\\["\\/bfnrt]/y);
    if (simple !== undefined) return escapes.get(simple.slice(1)) ?? "";
    this.#take(/\\[^]?/y);
    throw new JqSyntaxError(
      `Invalid escape at line 1, column 4 (while parsing '"${this.#text.slice(at, this.#at)}"')`,
      at,
      this.#at,
    );
  }
}

const escapes = new Map(
  Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", "/": "/", '"': '"', "\\": "\\" }),
);
