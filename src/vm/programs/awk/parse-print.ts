/** `print` and `printf`: their arguments and where their output goes. */
import { AwkSyntaxError } from "./awk-error.ts";
import { ExpressionParser } from "./parse-expression.ts";
import type { Expr, Redirection, Statement } from "./syntax.ts";

export class PrintParser extends ExpressionParser {
  protected endsStatement(): boolean {
    const { kind } = this.token;
    return kind === "newline" || kind === "end" || this.isOperator(";") || this.isOperator("}");
  }

  protected printStatement(kind: "print" | "printf"): Statement {
    const { line } = this.token;
    this.advance();
    const args = this.#printArguments();
    const redirection = this.#redirection();
    if (kind === "printf" && args.length === 0)
      throw new AwkSyntaxError([`${this.sourceName}:${line}: fatal: printf: no arguments`]);
    return { kind, args, redirection, line };
  }

  #printArguments(): readonly Expr[] {
    if (this.endsStatement() || this.isOperator(">") || this.#isPipe()) return [];
    this.noGreater = true;
    const first = this.expression();
    const args = first.kind === "list" ? [...first.items] : [first];
    while (first.kind !== "list" && this.takeOperator(",")) {
      this.skipNewlines();
      args.push(this.expression());
    }
    this.noGreater = false;
    if (args.some((one) => one.kind === "list")) throw this.syntaxError();
    return args;
  }

  #isPipe(): boolean {
    return this.isOperator("|") || this.isOperator("|&") || this.isOperator(">>");
  }

  #redirection(): Redirection | undefined {
    const { kind, text } = this.token;
    if (kind !== "operator") return undefined;
    if (text !== ">" && text !== ">>" && text !== "|" && text !== "|&") return undefined;
    this.advance();
    this.noGreater = true;
    const to = this.concatenation();
    this.noGreater = false;
    return { kind: text, to };
  }
}
