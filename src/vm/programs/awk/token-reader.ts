/** One token ahead, over all parts of a program. */
import type { AwkSyntaxError } from "./awk-error.ts";
import type { Lexer, Token } from "./lexer.ts";

export class TokenReader {
  readonly #lexer: Lexer;
  #token: Token;

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
    this.#token = lexer.tokenAt(0);
  }

  get token(): Token {
    return this.#token;
  }

  advance(): void {
    this.#token = this.#lexer.tokenAt(this.#token.end);
  }

  /** The token behind the next one. */
  peekBehind(): Token {
    return this.#lexer.tokenAt(this.#token.end);
  }

  /** Goes back to a token that was read before. */
  goTo(token: Token): void {
    this.#token = token;
  }

  isOperator(text: string): boolean {
    return this.#token.kind === "operator" && this.#token.text === text;
  }

  isKeyword(text: string): boolean {
    return this.#token.kind === "keyword" && this.#token.text === text;
  }

  takeOperator(text: string): boolean {
    if (!this.isOperator(text)) return false;
    this.advance();
    return true;
  }

  takeKeyword(text: string): boolean {
    if (!this.isKeyword(text)) return false;
    this.advance();
    return true;
  }

  expectOperator(text: string): void {
    if (!this.takeOperator(text)) throw this.syntaxError();
  }

  skipNewlines(): void {
    while (this.#token.kind === "newline") this.advance();
  }

  /** The source of the regular expression whose `/` is the next token. */
  takeRegExp(start: number): string {
    const token = this.#lexer.regExpAt(start);
    this.#token = this.#lexer.tokenAt(token.end);
    return token.text;
  }

  syntaxError(): AwkSyntaxError {
    const { kind, start } = this.#token;
    if (kind === "end") return this.#lexer.endError();
    if (kind === "newline") return this.#lexer.error(start, "unexpected newline or end of string");
    return this.#lexer.error(start, "syntax error");
  }

  errorAt(place: number, message: string): AwkSyntaxError {
    return this.#lexer.error(place, message);
  }

  /** What the part of the program that is read is called. */
  get sourceName(): string {
    return this.#lexer.source.name;
  }
}
