/** Statements of an awk program. */
import { AwkSyntaxError } from "./awk-error.ts";
import { PrintParser } from "./parse-print.ts";
import type { Expr, Statement, SwitchCase } from "./syntax.ts";

/** Where a statement stands: what it may be. */
interface Context {
  loops: number;
  switches: number;
  inFunction: boolean;
  rule: "BEGIN" | "END" | "BEGINFILE" | "ENDFILE" | "main" | "function";
}

export class StatementParser extends PrintParser {
  protected context: Context = { loops: 0, switches: 0, inFunction: false, rule: "main" };

  /** `{ … }`. */
  protected block(): Statement {
    const { line } = this.token;
    this.expectOperator("{");
    const body: Statement[] = [];
    this.#skipTerminators();
    while (!this.isOperator("}")) {
      body.push(this.statement());
      this.#skipTerminators();
    }
    this.advance();
    return { kind: "block", body, line };
  }

  #skipTerminators(): void {
    while (this.token.kind === "newline" || this.isOperator(";")) this.advance();
  }

  protected statement(): Statement {
    const { token } = this;
    if (token.kind === "operator" && token.text === "{") return this.block();
    if (token.kind === "operator" && token.text === ";") {
      this.advance();
      return { kind: "block", body: [], line: token.line };
    }
    if (token.kind === "keyword") {
      const compound = this.#compound();
      if (compound !== undefined) return compound;
    }
    const simple = this.#simple();
    this.#endSimple();
    return simple;
  }

  #endSimple(): void {
    if (this.token.kind === "newline" || this.isOperator(";")) {
      this.advance();
      return;
    }
    if (!this.isOperator("}")) throw this.syntaxError();
  }

  #compound(): Statement | undefined {
    switch (this.token.text) {
      case "if":
        return this.#if();
      case "while":
        return this.#while();
      case "do":
        return this.#do();
      case "for":
        return this.#for();
      case "switch":
        return this.#switch();
      default:
        return undefined;
    }
  }

  /** The body of an `if` or a loop, which newlines may come before. */
  #body(): Statement {
    this.skipNewlines();
    return this.statement();
  }

  #loopBody(): Statement {
    this.context.loops += 1;
    const body = this.#body();
    this.context.loops -= 1;
    return body;
  }

  #condition(): Expr {
    this.expectOperator("(");
    const test = this.expression();
    this.expectOperator(")");
    return test;
  }

  #if(): Statement {
    const { line } = this.token;
    this.advance();
    const test = this.#condition();
    const yes = this.#body();
    const before = this.token;
    this.#skipTerminators();
    if (!this.takeKeyword("else")) {
      this.goTo(before);
      return { kind: "if", test, yes, no: undefined, line };
    }
    return { kind: "if", test, yes, no: this.#body(), line };
  }

  #while(): Statement {
    const { line } = this.token;
    this.advance();
    const test = this.#condition();
    if (this.takeOperator(";")) {
      return { kind: "while", test, body: { kind: "block", body: [], line }, line };
    }
    return { kind: "while", test, body: this.#loopBody(), line };
  }

  #do(): Statement {
    const { line } = this.token;
    this.advance();
    const body = this.#loopBody();
    this.#skipTerminators();
    if (!this.takeKeyword("while")) throw this.syntaxError();
    const test = this.#condition();
    this.#endSimple();
    return { kind: "do", test, body, line };
  }

  #for(): Statement {
    const { line } = this.token;
    this.advance();
    this.expectOperator("(");
    const forIn = this.#forIn(line);
    if (forIn !== undefined) return forIn;
    const start = this.isOperator(";") ? undefined : this.#simple();
    this.expectOperator(";");
    this.skipNewlines();
    const test = this.isOperator(";") ? undefined : this.expression();
    this.expectOperator(";");
    this.skipNewlines();
    const step = this.isOperator(")") ? undefined : this.#simple();
    this.expectOperator(")");
    if (this.isOperator(";")) {
      this.advance();
      return { kind: "for", start, test, step, body: { kind: "block", body: [], line }, line };
    }
    return { kind: "for", start, test, step, body: this.#loopBody(), line };
  }

  /** Undefined, with nothing taken, where it is a `for (;;)`. */
  #forIn(line: number): Statement | undefined {
    if (this.token.kind !== "name") return undefined;
    const before = this.token;
    const target = this.optionalTarget();
    if (target !== undefined && this.takeKeyword("in") && this.token.kind === "name") {
      const array = this.arrayReference();
      if (this.takeOperator(")")) {
        return { kind: "for-in", target, array, body: this.#loopBody(), line };
      }
    }
    this.goTo(before);
    return undefined;
  }

  #switch(): Statement {
    const { line } = this.token;
    this.advance();
    const value = this.#condition();
    this.skipNewlines();
    this.expectOperator("{");
    this.context.switches += 1;
    const cases: SwitchCase[] = [];
    this.#skipTerminators();
    while (!this.takeOperator("}")) {
      cases.push(this.#case());
      this.#checkCases(cases, line);
      this.#skipTerminators();
    }
    this.context.switches -= 1;
    return { kind: "switch", value, cases, line };
  }

  /** A constant stands in one case only. */
  #checkCases(cases: readonly SwitchCase[], line: number): void {
    const texts = cases.flatMap(({ value }) =>
      value?.kind === "number"
        ? [String(value.value)]
        : value?.kind === "string"
          ? [value.text]
          : [],
    );
    const last = texts.at(-1);
    if (last !== undefined && texts.indexOf(last) < texts.length - 1)
      throw this.#error(line, `duplicate case values in switch body: ${last}`);
  }

  #case(): SwitchCase {
    let value: Expr | undefined;
    if (this.takeKeyword("case")) value = this.unary();
    else if (!this.takeKeyword("default")) throw this.syntaxError();
    this.expectOperator(":");
    const body: Statement[] = [];
    this.#skipTerminators();
    while (!this.isKeyword("case") && !this.isKeyword("default") && !this.isOperator("}")) {
      body.push(this.statement());
      this.#skipTerminators();
    }
    return { value, body };
  }

  #simple(): Statement {
    const { token } = this;
    const { line } = token;
    if (token.kind === "keyword") {
      switch (token.text) {
        case "print":
        case "printf":
          return this.printStatement(token.text);
        case "delete":
          return this.#delete();
        case "getline":
          break;
        default:
          return this.#jump();
      }
    }
    return { kind: "expression", expr: this.expression(), line };
  }

  #jump(): Statement {
    const { token } = this;
    const { line, text } = token;
    switch (text) {
      case "break":
      case "continue":
        this.#checkLoop(text, line);
        this.advance();
        return { kind: text, line };
      case "next":
      case "nextfile":
        this.#checkNext(text, line);
        this.advance();
        return { kind: text, line };
      case "exit":
      case "return":
        if (text === "return" && !this.context.inFunction)
          throw this.errorAt(token.start, "`return' used outside function context");
        this.advance();
        return { kind: text, value: this.endsStatement() ? undefined : this.expression(), line };
      default:
        throw this.syntaxError();
    }
  }

  #checkLoop(text: "break" | "continue", line: number): void {
    const { loops, switches } = this.context;
    if (loops > 0 || (text === "break" && switches > 0)) return;
    const where = text === "break" ? "a loop or switch" : "a loop";
    const message = `${this.sourceName}:${line}: error: \`${text}' is not allowed outside ${where}`;
    throw new AwkSyntaxError([message, message]);
  }

  #checkNext(text: string, line: number): void {
    const { rule } = this.context;
    const isFine =
      rule === "main" || rule === "function" || (text === "nextfile" && rule === "BEGINFILE");
    if (!isFine) throw this.#error(line, `\`${text}' used in ${rule} action`);
  }

  #error(line: number, message: string): AwkSyntaxError {
    return new AwkSyntaxError([`${this.sourceName}:${line}: error: ${message}`]);
  }

  #delete(): Statement {
    const { line } = this.token;
    this.advance();
    const isGroup = this.takeOperator("(");
    const reference = this.arrayReference();
    if (isGroup) this.expectOperator(")");
    return reference.kind === "element"
      ? { kind: "delete", array: reference.base, index: reference.index, line }
      : { kind: "delete", array: reference, index: undefined, line };
  }
}
