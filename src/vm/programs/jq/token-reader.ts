import type { Token } from "./lexer.ts";
import { type Expression, JqSyntaxError } from "./syntax.ts";

/** What the parts of the grammar ask of each other. */
export interface ExpressionParser {
  readonly reader: TokenReader;
  /** Everything, `|` included. */
  pipe(): Expression;
  /** A term with its suffixes. */
  term(): Expression;
  /** Without `|` and `,`, as in an object's value. */
  alternative(): Expression;
  /** The parts of a string token, under a format. */
  string(token: Token, format: string): Expression;
}

/** A place in a program's tokens. Fails with a JqSyntaxError in jq's words. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get current(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new JqSyntaxError("syntax error, unexpected $end", 0);
    return token;
  }

  peek(ahead: number): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }

  next(): Token {
    const token = this.current;
    this.#at += 1;
    return token;
  }

  /** Whether the current token is this sign or keyword. */
  is(text: string): boolean {
    const { kind, text: own } = this.current;
    return own === text && (kind === "sign" || kind === "keyword");
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.#at += 1;
    return true;
  }

  expect(text: string, expecting = ""): void {
    if (!this.take(text)) throw this.unexpected(expecting);
  }

  expectKind(kind: Token["kind"]): Token {
    if (this.current.kind !== kind) throw this.unexpected();
    return this.next();
  }

  unexpected(expecting = ""): JqSyntaxError {
    const token = this.current;
    const isFirst = this.#at === 0 && token.kind !== "end";
    const wanted = expecting === "" && isFirst ? "$end" : expecting;
    const name = this.#isUnmatched(token) ? "INVALID_CHARACTER" : nameOf(token);
    const message = `syntax error, unexpected ${name}${wanted === "" ? "" : `, expecting ${wanted}`} (Unix shell quoting issues?)`;
    const last = this.#tokens[this.#at - 1];
    const lastAt = last === undefined ? 0 : last.kind === "variable" ? last.at + 1 : last.at;
    const at = token.kind === "end" ? lastAt : token.at;
    return new JqSyntaxError(message, at, token.end);
  }

  /** Whether it closes what was not opened. */
  #isUnmatched({ kind, text }: Token): boolean {
    const opening = kind === "sign" ? closers.get(text) : undefined;
    if (opening === undefined) return false;
    const open: string[] = [];
    for (const token of this.#tokens.slice(0, this.#at)) {
      if (token.kind !== "sign") continue;
      if ("([{".includes(token.text)) open.push(token.text);
      else if (closers.has(token.text)) open.pop();
    }
    return open.at(-1) !== opening;
  }
}

const closers = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);

/** As jq's grammar calls it. */
function nameOf(token: Token): string {
  switch (token.kind) {
    case "end":
      return token.text === "" ? "$end" : "QQSTRING_INTERP_END";
    case "number":
      return "LITERAL";
    case "string":
      return "QQSTRING_START";
    case "format":
      return "FORMAT";
    case "field":
      return "FIELD";
    case "name":
      return "IDENT";
    case "variable":
      return "'$'";
    case "keyword":
      return token.text;
    default:
      return token.text.length === 1 ? `'${token.text}'` : token.text;
  }
}
