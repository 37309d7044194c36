/** Expressions of an awk program, by gawk's grammar. */
import { BuiltinParser } from "./parse-primary.ts";
import type { ArithmeticOperator, CompareOperator, Expr } from "./syntax.ts";

const compareOperators: ReadonlySet<string> = new Set(["<", "<=", "==", "!=", ">", ">="]);

/** Precedence from the loosest down to the tightest; what is tightest is in BuiltinParser. */
export class ExpressionParser extends BuiltinParser {
  override expression(): Expr {
    const test = this.#or();
    if (this.isTarget(test) && this.#assignment() !== undefined) return this.#assign(test);
    if (!this.takeOperator("?")) return test;
    this.skipNewlines();
    const yes = this.expression();
    this.expectOperator(":");
    this.skipNewlines();
    const no = this.expression();
    return { kind: "choose", test, yes, no };
  }

  #assignment(): string | undefined {
    const { kind, text } = this.token;
    return kind === "operator" && /^[-+*/%^]?=$/.test(text) ? text : undefined;
  }

  #assign(target: Expr): Expr {
    const line = this.token.line;
    const operator = this.#assignment() ?? "=";
    this.advance();
    this.skipNewlines();
    const value = this.expression();
    if (!this.isTarget(target)) throw this.syntaxError();
    return {
      kind: "assign",
      operator: operator === "=" ? undefined : toArithmetic(operator.slice(0, 1)),
      target,
      value,
      line,
    };
  }

  #or(): Expr {
    let left = this.#and();
    while (this.takeOperator("||")) {
      this.skipNewlines();
      left = { kind: "or", left, right: this.#withAssignment(() => this.#and()) };
    }
    return left;
  }

  #and(): Expr {
    let left = this.#in();
    while (this.takeOperator("&&")) {
      this.skipNewlines();
      left = { kind: "and", left, right: this.#withAssignment(() => this.#in()) };
    }
    return left;
  }

  /** gawk takes `a && b = c` for `a && (b = c)`. */
  #withAssignment(parse: () => Expr): Expr {
    const right = parse();
    return this.isTarget(right) && this.#assignment() !== undefined ? this.#assign(right) : right;
  }

  #in(): Expr {
    let left = this.#match();
    while (!this.noIn && this.isKeyword("in")) {
      this.advance();
      const index = left.kind === "list" ? left.items : [left];
      left = { kind: "in", index, array: this.arrayReference() };
    }
    return left;
  }

  #match(): Expr {
    let left = this.#compare();
    while (this.isOperator("~") || this.isOperator("!~")) {
      const isNegated = this.token.text === "!~";
      this.advance();
      left = { kind: "match", isNegated, left, right: this.#compare() };
    }
    return left;
  }

  #compare(): Expr {
    const left = this.#pipes(this.concatenation());
    const operator = this.#compareOperator();
    if (operator === undefined) return left;
    this.advance();
    const right = this.#pipes(this.concatenation());
    if (this.#compareOperator() !== undefined) throw this.syntaxError();
    return { kind: "compare", operator, left, right };
  }

  #compareOperator(): CompareOperator | undefined {
    const { kind, text } = this.token;
    if (kind !== "operator" || !compareOperators.has(text)) return undefined;
    if (text === ">" && this.noGreater) return undefined;
    return toCompare(text);
  }

  /** `command | getline`, as often as it stands there. */
  #pipes(command: Expr): Expr {
    let left = command;
    while (this.isOperator("|") || this.isOperator("|&")) {
      const next = this.peekBehind();
      if (next.kind !== "keyword" || next.text !== "getline") return left;
      const from = this.token.text === "|" ? "command" : "coprocess";
      this.advance();
      this.advance();
      const target = this.optionalTarget();
      left = {
        kind: "getline",
        from,
        source: left,
        ...(target === undefined ? {} : { target }),
      };
    }
    return left;
  }

  override concatenation(): Expr {
    let left = this.#additive();
    while (this.#startsOperand()) {
      left = { kind: "concat", left, right: this.#additive() };
    }
    return left;
  }

  #startsOperand(): boolean {
    const { kind, text } = this.token;
    switch (kind) {
      case "number":
      case "string":
      case "name":
      case "call":
      case "builtin":
        return true;
      case "operator":
        return text === "$" || text === "(" || text === "!" || text === "-" || text === "+"
          ? true
          : text === "++" || text === "--" || text === "@";
      default:
        return false;
    }
  }

  #additive(): Expr {
    let left = this.#multiplicative();
    while (this.isOperator("+") || this.isOperator("-")) {
      left = this.#arithmetic(left, () => this.#multiplicative());
    }
    return left;
  }

  #multiplicative(): Expr {
    let left = this.unary();
    while (this.isOperator("*") || this.isOperator("/") || this.isOperator("%")) {
      left = this.#arithmetic(left, () => this.unary());
    }
    return left;
  }

  #arithmetic(left: Expr, parse: () => Expr): Expr {
    const { line, text } = this.token;
    this.advance();
    return { kind: "arithmetic", operator: toArithmetic(text), left, right: parse(), line };
  }
}

function toArithmetic(text: string): ArithmeticOperator {
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

function toCompare(text: string): CompareOperator {
  switch (text) {
    case "<":
    case "<=":
    case "==":
    case "!=":
    case ">":
      return text;
    default:
      return ">=";
  }
}
