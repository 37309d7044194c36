/** Reads bc's statements. */
import { ExpressionParser, NeedsMoreError } from "./parse-expression.ts";
import type { Expr, FunctionNode, Parameter, Part, Statement } from "./syntax.ts";

export class Parser extends ExpressionParser {
  /** Whether there is something before the end of the source. */
  hasMore(): boolean {
    while (this.token.kind === "newline" || this.isOperator(";")) this.advance();
    return this.token.kind !== "end";
  }

  /** All parts up to the end of a line. */
  line(): readonly Part[] {
    const parts: Part[] = [];
    this.restartAddress();
    while (!this.#endsLine()) {
      if (this.takeOperator(";")) continue;
      parts.push(this.#part());
      if (!this.#endsLine() && !this.isOperator(";")) throw this.syntaxError();
    }
    return parts;
  }

  #endsLine(): boolean {
    return this.token.kind === "newline" || this.token.kind === "end";
  }

  #part(): Part {
    if (this.takeKeyword("define")) return { kind: "function", node: this.#function() };
    if (this.takeKeyword("quit")) return { kind: "quit" };
    return { kind: "statement", statement: this.#statement() };
  }

  #function(): FunctionNode {
    const isVoid = this.takeKeyword("void");
    const name = this.#name();
    this.expectOperator("(");
    const parameters = this.isOperator(")") ? [] : this.#parameters();
    this.expectOperator(")");
    this.#skipNewlines();
    this.expectOperator("{");
    this.#skipTerminators();
    let autos: readonly Parameter[] = [];
    if (this.takeKeyword("auto")) {
      autos = this.#parameters();
      this.#skipTerminators();
    }
    this.functionDepth += 1;
    const body = this.#statementsUpToBrace();
    this.functionDepth -= 1;
    return { name, isVoid, parameters, autos, body };
  }

  #name(): string {
    if (this.token.kind !== "name") throw this.syntaxError();
    const { text } = this.token;
    this.advance();
    return text;
  }

  #parameters(): readonly Parameter[] {
    const list: Parameter[] = [];
    do {
      const isReference = this.takeOperator("*");
      const name = this.#name();
      const isArray = this.takeOperator("[");
      if (isArray) this.expectOperator("]");
      list.push({ name, kind: isReference ? "reference" : isArray ? "array" : "scalar" });
    } while (this.takeOperator(","));
    return list;
  }

  #skipNewlines(): void {
    while (this.token.kind === "newline") this.advance();
    if (this.token.kind === "end") throw new NeedsMoreError();
  }

  #skipTerminators(): void {
    while (this.token.kind === "newline" || this.isOperator(";")) this.advance();
    if (this.token.kind === "end") throw new NeedsMoreError();
  }

  #statementsUpToBrace(): readonly Statement[] {
    const body: Statement[] = [];
    this.#skipTerminators();
    while (!this.takeOperator("}")) {
      body.push(this.#statement());
      if (!this.isOperator("}") && !this.isOperator(";") && this.token.kind !== "newline")
        throw this.token.kind === "end" ? new NeedsMoreError() : this.syntaxError();
      this.#skipTerminators();
    }
    return body;
  }

  #statement(): Statement {
    const { kind, text } = this.token;
    if (kind === "string") {
      this.advance();
      return { kind: "string", text };
    }
    if (this.takeOperator("{")) return { kind: "block", body: this.#statementsUpToBrace() };
    if (kind === "keyword") {
      const made = this.#keyword(text);
      if (made !== undefined) return made;
    }
    const expr = this.expression();
    this.emit(1);
    return { kind: "expression", expr };
  }

  #keyword(text: string): Statement | undefined {
    switch (text) {
      case "if":
        return this.#if();
      case "while":
        return this.#while();
      case "for":
        return this.#for();
      case "print":
        return this.#print();
      case "break":
      case "continue":
        if (this.loopDepth === 0)
          throw this.errorHere(
            text === "break" ? "Break outside a for/while" : "Continue outside a for",
          );
        this.advance();
        return { kind: text };
      case "halt":
        this.advance();
        return { kind: "halt" };
      case "return":
        return this.#return();
      default:
        return undefined;
    }
  }

  #return(): Statement {
    this.advance();
    const ends = this.token.kind === "newline" || this.isOperator(";") || this.isOperator("}");
    const value = ends ? undefined : this.expression();
    if (this.functionDepth === 0) throw this.errorHere("Return outside of a function.");
    return { kind: "return", value };
  }

  #condition(): Expr {
    this.expectOperator("(");
    const test = this.expression();
    this.expectOperator(")");
    this.emit(2);
    return test;
  }

  #body(): Statement {
    this.#skipNewlines();
    return this.#statement();
  }

  #loopBody(): Statement {
    this.loopDepth += 1;
    const body = this.#body();
    this.loopDepth -= 1;
    return body;
  }

  #if(): Statement {
    this.advance();
    const test = this.#condition();
    const yes = this.#body();
    const no = this.takeKeyword("else") ? this.#body() : undefined;
    return { kind: "if", test, yes, no };
  }

  #while(): Statement {
    this.advance();
    return { kind: "while", test: this.#condition(), body: this.#loopBody() };
  }

  #for(): Statement {
    this.advance();
    this.expectOperator("(");
    const start = this.isOperator(";") ? undefined : this.expression();
    this.expectOperator(";");
    const test = this.isOperator(";") ? undefined : this.expression();
    this.expectOperator(";");
    const step = this.isOperator(")") ? undefined : this.expression();
    this.expectOperator(")");
    return { kind: "for", start, test, step, body: this.#loopBody() };
  }

  #print(): Statement {
    this.advance();
    const items: (string | Expr)[] = [];
    do {
      if (this.token.kind === "string") {
        items.push(this.token.text);
        this.advance();
      } else {
        items.push(this.expression());
      }
    } while (this.takeOperator(","));
    return { kind: "print", items };
  }
}
