/** bc's expressions. A comparison binds less than an assignment, a sign more than a power. */
import { type Token, tokenAt } from "./lexer.ts";
import type { BinaryOperator, Expr, Target } from "./syntax.ts";

/** `name line: message`, and where reading goes on. */
export class BcSyntaxError extends Error {
  readonly place: number;

  constructor(message: string, place: number) {
    super(message);
    this.place = place;
  }
}

/** The source ends within a statement. */
export class NeedsMoreError extends Error {}

export class ExpressionParser {
  readonly #source: string;
  #token: Token;
  #address = 0;
  protected loopDepth = 0;
  protected functionDepth = 0;

  constructor(source: string, place: number) {
    this.#source = source;
    this.#token = tokenAt(source, place);
  }

  get token(): Token {
    return this.#token;
  }

  advance(): void {
    this.#token = tokenAt(this.#source, this.#token.end);
  }

  isOperator(text: string): boolean {
    return this.#token.kind === "operator" && this.#token.text === text;
  }

  protected takeOperator(text: string): boolean {
    if (!this.isOperator(text)) return false;
    this.advance();
    return true;
  }

  protected takeKeyword(text: string): boolean {
    if (this.#token.kind !== "keyword" || this.#token.text !== text) return false;
    this.advance();
    return true;
  }

  protected expectOperator(text: string): void {
    if (!this.takeOperator(text)) throw this.syntaxError();
  }

  protected syntaxError(): BcSyntaxError {
    const { kind, text } = this.#token;
    return this.errorHere(kind === "bad" ? `illegal character: ${text}` : "syntax error");
  }

  /** A newline that was read counts as the next line. */
  protected errorHere(message: string): BcSyntaxError {
    const { kind, start } = this.#token;
    return new BcSyntaxError(message, kind === "newline" ? start + 1 : start);
  }

  /** Counts byte code as GNU's bc makes it. */
  protected emit(bytes: number): number {
    this.#address += bytes;
    return this.#address;
  }

  protected restartAddress(): void {
    this.#address = 0;
  }

  expression(): Expr {
    let left = this.#and();
    while (this.takeOperator("||")) {
      left = { kind: "or", left, right: this.#and() };
      this.emit(5);
    }
    return left;
  }

  #and(): Expr {
    let left = this.#not();
    while (this.takeOperator("&&")) {
      left = { kind: "and", left, right: this.#not() };
      this.emit(5);
    }
    return left;
  }

  #not(): Expr {
    if (!this.takeOperator("!")) return this.#comparison();
    const operand = this.#not();
    this.emit(1);
    return { kind: "not", operand };
  }

  #comparison(): Expr {
    let left = this.#sum();
    while (this.token.kind === "operator" && /^(?:[<>]=?|[=!]=)$/.test(this.token.text)) {
      const operator = this.token.text;
      this.advance();
      left = { kind: "compare", operator, left, right: this.#sum() };
      this.emit(1);
    }
    return left;
  }

  #sum(): Expr {
    let left = this.#product();
    while (this.isOperator("+") || this.isOperator("-"))
      left = this.#binary(left, () => this.#product());
    return left;
  }

  #product(): Expr {
    let left = this.#power();
    while (this.isOperator("*") || this.isOperator("/") || this.isOperator("%"))
      left = this.#binary(left, () => this.#power());
    return left;
  }

  #power(): Expr {
    const left = this.#unary();
    return this.isOperator("^") ? this.#binary(left, () => this.#power()) : left;
  }

  #binary(left: Expr, parse: () => Expr): Expr {
    const operator = toOperator(this.token.text);
    this.advance();
    const right = parse();
    return { kind: "binary", operator, left, right, address: this.emit(1) };
  }

  #unary(): Expr {
    if (this.takeOperator("-")) {
      const operand = this.#unary();
      this.emit(1);
      return { kind: "negate", operand };
    }
    return this.#postfix();
  }

  #postfix(): Expr {
    const operand = this.#primary();
    if (!isTarget(operand)) return operand;
    const { kind, text } = this.token;
    if (kind !== "operator") return operand;
    if (text === "++" || text === "--") {
      this.advance();
      this.emit(3);
      return { kind: "step", target: operand, by: text === "++" ? 1 : -1, isPrefix: false };
    }
    if (!/^[-+*/%^]?=$/.test(text)) return operand;
    this.advance();
    // The target's value is not loaded, the right side's is.
    this.emit(text === "=" ? -2 : 0);
    const value = this.#sum();
    const operator = text === "=" ? undefined : toOperator(text.slice(0, 1));
    return {
      kind: "assign",
      operator,
      target: operand,
      value,
      address: this.emit(operator ? 3 : 2),
    };
  }

  #primary(): Expr {
    const { kind, text } = this.token;
    if (kind === "number") {
      this.advance();
      const shown = text.replace(/^0+(?=.)/, "");
      this.emit(shown === "0" || shown === "1" ? 1 : shown.length + 2);
      return { kind: "number", text };
    }
    if (kind === "name") return this.#named(text);
    if (kind === "keyword") return this.#keywordValue(text);
    if (kind !== "operator") throw this.syntaxError();
    return this.#operatorValue(text);
  }

  #operatorValue(text: string): Expr {
    if (!["(", ".", "++", "--"].includes(text)) throw this.syntaxError();
    this.advance();
    switch (text) {
      case "(": {
        const operand = this.expression();
        this.expectOperator(")");
        return { kind: "group", operand };
      }
      case ".":
        this.emit(2);
        return { kind: "special", name: "last" };
      case "++":
      case "--": {
        const target = this.#primary();
        if (!isTarget(target)) throw this.syntaxError();
        this.emit(3);
        return { kind: "step", target, by: text === "++" ? 1 : -1, isPrefix: true };
      }
      default:
        throw this.syntaxError();
    }
  }

  #named(name: string): Expr {
    this.advance();
    if (this.takeOperator("(")) {
      const args: Expr[] = [];
      while (!this.isOperator(")")) {
        args.push(this.expression());
        if (!this.takeOperator(",")) break;
      }
      this.expectOperator(")");
      const address = this.emit(2);
      this.emit(args.length + 1);
      return { kind: "call", name, args, address };
    }
    if (!this.takeOperator("[")) {
      this.emit(2);
      return { kind: "variable", name };
    }
    if (this.takeOperator("]")) return { kind: "array", name };
    const index = this.expression();
    this.expectOperator("]");
    this.emit(2);
    return { kind: "element", name, index };
  }

  #keywordValue(text: string): Expr {
    switch (text) {
      case "ibase":
      case "obase":
      case "last":
        this.advance();
        this.emit(2);
        return { kind: "special", name: text };
      case "scale":
        this.advance();
        if (this.isOperator("(")) return this.#builtin("scale");
        this.emit(2);
        return { kind: "special", name: "scale" };
      case "length":
      case "sqrt":
      case "read":
        this.advance();
        return this.#builtin(text);
      default:
        throw this.syntaxError();
    }
  }

  #builtin(name: "length" | "scale" | "sqrt" | "read"): Expr {
    this.expectOperator("(");
    const argument = name === "read" ? undefined : this.expression();
    this.expectOperator(")");
    return { kind: "builtin", name, argument, address: this.emit(2) };
  }
}

function isTarget(expr: Expr): expr is Target {
  return expr.kind === "variable" || expr.kind === "element" || expr.kind === "special";
}

function toOperator(text: string): BinaryOperator {
  switch (text) {
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return text;
    default:
      return "^";
  }
}
