/** The tight end of awk's expressions: unary operators, variables, calls, `getline`. */
import { checkArguments } from "./builtin-arguments.ts";
import type { ElementNode, Expr, Target, VariableNode } from "./syntax.ts";
import { TokenReader } from "./token-reader.ts";

export abstract class BuiltinParser extends TokenReader {
  /** Within `for (`, where `in` is not an operator. */
  protected noIn = false;
  /** Behind `print`, where `>` and `|` redirect. */
  protected noGreater = false;

  abstract expression(): Expr;
  abstract concatenation(): Expr;

  isTarget(expr: Expr): expr is Target {
    return expr.kind === "variable" || expr.kind === "element" || expr.kind === "field";
  }

  protected unary(): Expr {
    const { kind, text } = this.token;
    if (kind === "operator" && (text === "!" || text === "-" || text === "+")) {
      this.advance();
      const operand = this.unary();
      return { kind: "unary", operator: text, operand };
    }
    return this.#power();
  }

  #power(): Expr {
    const left = this.#postfix();
    const { line } = this.token;
    if (!this.takeOperator("^")) return left;
    // The right side may have a sign, and is a power again: 2^-3^2.
    const right = this.#signedPower();
    return { kind: "arithmetic", operator: "^", left, right, line };
  }

  #signedPower(): Expr {
    const { kind, text } = this.token;
    if (kind === "operator" && (text === "-" || text === "+" || text === "!")) {
      this.advance();
      return { kind: "unary", operator: text, operand: this.#signedPower() };
    }
    return this.#power();
  }

  #postfix(): Expr {
    const operand = this.#primary();
    if (!this.isTarget(operand)) return operand;
    if (this.takeOperator("++")) return { kind: "step", target: operand, by: 1, isPrefix: false };
    if (this.takeOperator("--")) return { kind: "step", target: operand, by: -1, isPrefix: false };
    return operand;
  }

  #primary(): Expr {
    const { token } = this;
    switch (token.kind) {
      case "number":
        this.advance();
        return { kind: "number", value: token.value };
      case "string":
        this.advance();
        return { kind: "string", text: token.text };
      case "name":
        return this.#variable();
      case "call":
        return this.#call(false);
      case "builtin":
        return this.#builtin();
      case "keyword":
        if (token.text === "getline") return this.#getline();
        throw this.syntaxError();
      case "operator":
        return this.#operator();
      default:
        throw this.syntaxError();
    }
  }

  #operator(): Expr {
    const { text, start } = this.token;
    switch (text) {
      case "(":
        return this.#group();
      case "$":
        return this.#field();
      case "/":
      case "/=":
        return { kind: "regexp", source: this.takeRegExp(start), isTyped: false };
      case "@":
        return this.#at();
      case "++":
      case "--":
        return this.#prefixStep(text === "++" ? 1 : -1);
      default:
        throw this.syntaxError();
    }
  }

  #prefixStep(by: 1 | -1): Expr {
    this.advance();
    const target = this.#primary();
    if (!this.isTarget(target)) throw this.syntaxError();
    return { kind: "step", target, by, isPrefix: true };
  }

  #at(): Expr {
    this.advance();
    if (this.isOperator("/") || this.isOperator("/="))
      return { kind: "regexp", source: this.takeRegExp(this.token.start), isTyped: true };
    if (this.token.kind === "call") return this.#call(true);
    throw this.syntaxError();
  }

  /** `$` takes what follows with its own `++`: `$i++` is `($i)++`, `$++i` is `$(++i)`. */
  #field(): Expr {
    this.advance();
    if (this.isOperator("++") || this.isOperator("--")) {
      return { kind: "field", index: this.#prefixStep(this.token.text === "++" ? 1 : -1) };
    }
    if (this.isOperator("-") || this.isOperator("+") || this.isOperator("!")) {
      const { text } = this.token;
      this.advance();
      const operand = this.#primary();
      const operator = text === "-" ? "-" : text === "+" ? "+" : "!";
      return { kind: "field", index: { kind: "unary", operator, operand } };
    }
    return { kind: "field", index: this.#primary() };
  }

  #group(): Expr {
    this.advance();
    const wasIn = this.noIn;
    const wasGreater = this.noGreater;
    this.noIn = false;
    this.noGreater = false;
    const items = [this.expression()];
    while (this.takeOperator(",")) {
      this.skipNewlines();
      items.push(this.expression());
    }
    this.expectOperator(")");
    this.noIn = wasIn;
    this.noGreater = wasGreater;
    const [first] = items;
    if (items.length === 1 && first !== undefined) return { kind: "group", inner: first };
    if (!this.isKeyword("in") && !this.allowsList()) throw this.syntaxError();
    return { kind: "list", items };
  }

  /** Whether `(a, b)` may stand alone: as all arguments of `print`. */
  protected allowsList(): boolean {
    if (!this.noGreater) return false;
    const { kind, text } = this.token;
    if (kind !== "operator") return kind === "newline" || kind === "end";
    return [";", "}", ">", ">>", "|", "|&"].includes(text);
  }

  #variable(): VariableNode | ElementNode {
    const { text } = this.token;
    this.checkName(text);
    this.advance();
    return this.#subscripts({ kind: "variable", name: text });
  }

  protected checkName(_name: string): void {}

  #subscripts(base: VariableNode): VariableNode | ElementNode {
    let node: VariableNode | ElementNode = base;
    while (this.isOperator("[")) {
      this.advance();
      const index = this.expressionsUpTo("]");
      if (index.length === 0) throw this.syntaxError();
      node = { kind: "element", base: node, index };
    }
    return node;
  }

  /** An array's name, or an element that holds an array. */
  protected arrayReference(): VariableNode | ElementNode {
    if (this.token.kind !== "name") throw this.syntaxError();
    return this.#variable();
  }

  /** Expressions with commas between them and what closes them behind. */
  protected expressionsUpTo(close: string): Expr[] {
    const wasIn = this.noIn;
    const wasGreater = this.noGreater;
    this.noIn = false;
    this.noGreater = false;
    const items: Expr[] = [];
    while (!this.isOperator(close)) {
      items.push(this.expression());
      if (!this.takeOperator(",")) break;
      this.skipNewlines();
      if (this.isOperator(close)) throw this.syntaxError();
    }
    this.noIn = wasIn;
    this.noGreater = wasGreater;
    this.closing = this.token.start;
    this.expectOperator(close);
    return items;
  }

  /** Where the last list of arguments closed. */
  protected closing = 0;

  #call(isIndirect: boolean): Expr {
    const { text, line } = this.token;
    this.advance();
    this.expectOperator("(");
    return { kind: "call", name: text, args: this.expressionsUpTo(")"), line, isIndirect };
  }

  #builtin(): Expr {
    const { text, line } = this.token;
    this.advance();
    if (!this.isOperator("(")) {
      if (text !== "length") throw this.syntaxError();
      return { kind: "builtin", name: text, args: [], line };
    }
    this.advance();
    const args = this.expressionsUpTo(")");
    const problem = checkArguments(text, args.length);
    if (problem !== undefined) throw this.errorAt(this.closing, problem);
    return { kind: "builtin", name: text, args, line };
  }

  #getline(): Expr {
    this.advance();
    const target = this.optionalTarget();
    const place = target === undefined ? {} : { target };
    if (!this.takeOperator("<")) return { kind: "getline", from: "main", ...place };
    const source = this.#postfix();
    return { kind: "getline", from: "file", source, ...place };
  }

  /** The variable behind `getline`, if any. */
  protected optionalTarget(): Target | undefined {
    const { kind, text } = this.token;
    if (kind === "name") return this.#variable();
    if (kind !== "operator" || text !== "$") return undefined;
    const field = this.#field();
    return this.isTarget(field) ? field : undefined;
  }
}
