/** Parses arithmetic text into a tree. Operators and precedence are C's, see bash(1), ARITHMETIC EVALUATION. */
import type { ArithmeticNode } from "./arithmetic-node.ts";
import { digitValue } from "./digit-value.ts";

/** What bash says after the expression: `syntax error: operand expected (error token is "…")`. */
export class ArithmeticError extends Error {
  /** Where the shown expression ends. */
  readonly shownEnd: number | undefined;

  constructor(message: string, shownEnd?: number) {
    super(message);
    this.shownEnd = shownEnd;
  }
}

/** Deeper nesting than this is refused, as bash refuses "expression recursion level exceeded". */
const DEPTH_LIMIT = 256;

export function parseArithmetic(text: string): ArithmeticNode {
  return new ArithmeticParser(text).parse();
}

/** How tightly operators bind. */
const precedence: ReadonlyMap<string, number> = new Map([
  ["||", 1],
  ["&&", 2],
  ["|", 3],
  ["^", 4],
  ["&", 5],
  ["==", 6],
  ["!=", 6],
  ["<=", 7],
  [">=", 7],
  ["<", 7],
  [">", 7],
  ["<<", 8],
  [">>", 8],
  ["+", 9],
  ["-", 9],
  ["*", 10],
  ["/", 10],
  ["%", 10],
]);

const tokenPattern =
  /\s*(?:([0-9][\w@#]*)|([A-Za-z_]\w*)|(<<=|>>=|\*\*|\+\+|--|&&|\|\||<<|>>|[-+*/%&|^=!<>]=|[-+*/%&|^=!<>~?:,()[\]]))/y;

class ArithmeticParser {
  readonly #text: string;
  #at = 0;
  #token = "";
  #kind: "number" | "name" | "operator" | "end" | "bad" = "end";
  #tokenStart = 0;
  #previousStart = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#advance();
  }

  parse(): ArithmeticNode {
    if (this.#isAtEnd()) return { kind: "number", value: 0n };
    const node = this.#comma();
    if (this.#kind === "bad") throw this.#error("syntax error: invalid arithmetic operator");
    if (!this.#isAtEnd()) throw this.#error("syntax error in expression");
    return node;
  }

  #isAtEnd(): boolean {
    return this.#kind === "end";
  }

  #advance(): void {
    this.#previousStart = this.#tokenStart;
    tokenPattern.lastIndex = this.#at;
    const match = tokenPattern.exec(this.#text);
    if (match === null) {
      const rest = this.#text.slice(this.#at);
      this.#tokenStart = this.#at + (rest.length - rest.trimStart().length);
      this.#kind = rest.trim() === "" ? "end" : "bad";
      this.#token = "";
      return;
    }
    this.#kind = match[1] !== undefined ? "number" : match[2] !== undefined ? "name" : "operator";
    this.#token = match[1] ?? match[2] ?? match[3] ?? "";
    this.#at = tokenPattern.lastIndex;
    this.#tokenStart = this.#at - this.#token.length;
  }

  #accept(operator: string): boolean {
    if (this.#kind !== "operator" || this.#token !== operator) return false;
    this.#advance();
    return true;
  }

  #comma(): ArithmeticNode {
    let node = this.#assignment();
    while (this.#accept(",")) {
      node = { kind: "binary", operator: ",", left: node, right: this.#assignment() };
    }
    return node;
  }

  /** Everything that calls itself goes through here. */
  #nested(step: () => ArithmeticNode): ArithmeticNode {
    this.#depth += 1;
    if (this.#depth > DEPTH_LIMIT) throw this.#error("expression recursion level exceeded");
    const node = step();
    this.#depth -= 1;
    return node;
  }

  #assignment(): ArithmeticNode {
    return this.#nested(() => {
      const left = this.#choice();
      const operator = this.#kind === "operator" ? this.#token : "";
      if (!/^(?:[-+*/%&|^]|<<|>>)?=$/.test(operator)) return left;
      if (left.kind !== "variable") throw this.#error("attempted assignment to non-variable");
      this.#advance();
      const value = this.#assignment();
      return { kind: "assign", operator: operator.slice(0, -1), target: left, value };
    });
  }

  #choice(): ArithmeticNode {
    const test = this.#binary(1);
    if (!this.#accept("?")) return test;
    if (this.#kind === "operator" && this.#token === ":") throw this.#error("expression expected");
    const yes = this.#comma();
    if (!this.#accept(":")) {
      if (this.#isAtEnd()) this.#tokenStart = this.#previousStart;
      throw this.#error("`:' expected for conditional expression");
    }
    if (this.#isAtEnd()) throw this.#error("expression expected");
    return { kind: "choice", test, yes, no: this.#nested(() => this.#choice()) };
  }

  #binary(weakest: number): ArithmeticNode {
    let left = this.#power();
    for (;;) {
      if (this.#token === "++" || this.#token === "--") this.#splitSigns();
      const operator = this.#kind === "operator" ? this.#token : "";
      const strength = precedence.get(operator) ?? 0;
      if (strength < weakest) return left;
      this.#advance();
      left = { kind: "binary", operator, left, right: this.#binary(strength + 1) };
    }
  }

  /** After what is no variable `++` is an operator and a sign. */
  #splitSigns(): void {
    this.#token = this.#token.charAt(0);
    this.#at = this.#tokenStart + 1;
  }

  #power(): ArithmeticNode {
    const left = this.#unary();
    if (!this.#accept("**")) return left;
    return { kind: "binary", operator: "**", left, right: this.#nested(() => this.#power()) };
  }

  #unary(): ArithmeticNode {
    if (this.#kind !== "operator") return this.#postfix();
    const operator = this.#token;
    if (operator === "++" || operator === "--")
      return this.#nested(() => this.#prefixStep(operator));
    if (!"+-!~".includes(operator)) return this.#postfix();
    this.#advance();
    return { kind: "unary", operator, operand: this.#nested(() => this.#unary()) };
  }

  /** `++x`; before anything but a name it is two signs. */
  #prefixStep(operator: "++" | "--"): ArithmeticNode {
    this.#advance();
    const operand = this.#unary();
    if (operand.kind === "variable")
      return { kind: "step", operator, isPrefix: true, target: operand };
    const sign = operator.charAt(0);
    return { kind: "unary", operator: sign, operand: { kind: "unary", operator: sign, operand } };
  }

  #postfix(): ArithmeticNode {
    const isInner = this.#token === "(" && this.#kind === "operator";
    const node = this.#primary();
    if (isInner || this.#kind !== "operator" || (this.#token !== "++" && this.#token !== "--"))
      return node;
    if (node.kind !== "variable") return node;
    const operator = this.#token;
    this.#advance();
    return { kind: "step", operator, isPrefix: false, target: node };
  }

  #primary(): ArithmeticNode {
    const token = this.#token;
    switch (this.#kind) {
      case "number": {
        const value = this.#number(token);
        this.#advance();
        return { kind: "number", value };
      }
      case "name":
        return this.#variable(token);
      case "operator":
        if (token !== "(") break;
        this.#advance();
        return this.#parenthesis();
      case "end":
        this.#tokenStart = this.#previousStart;
        break;
      case "bad":
    }
    throw this.#error("syntax error: operand expected");
  }

  #parenthesis(): ArithmeticNode {
    const node = this.#comma();
    if (!this.#accept(")")) throw this.#error("missing `)'");
    return node;
  }

  /** The index is kept as text: an associative array takes it as a key. */
  #variable(name: string): ArithmeticNode {
    if (this.#text.charAt(this.#at) !== "[") {
      this.#advance();
      return { kind: "variable", name, index: undefined };
    }
    let depth = 0;
    for (let at = this.#at; at < this.#text.length; at++) {
      const character = this.#text.charAt(at);
      if (character === "[") depth += 1;
      if (character === "]") depth -= 1;
      if (depth > 0) continue;
      const index = this.#text.slice(this.#at + 1, at);
      this.#at = at + 1;
      this.#advance();
      return { kind: "variable", name, index };
    }
    throw this.#error("bad array subscript");
  }

  #number(token: string): bigint {
    const based = /^(\d+)#([\w@]+)$/.exec(token);
    if (based !== null) return this.#inBase(BigInt(based[1] ?? "10"), based[2] ?? "");
    if (/^0[xX]/.test(token)) return this.#inBase(16n, token.slice(2));
    if (/^0\d/.test(token)) return this.#inBase(8n, token.slice(1));
    return this.#inBase(10n, token);
  }

  #inBase(base: bigint, digits: string): bigint {
    if (base < 2n || base > 64n) throw this.#numberError("invalid arithmetic base");
    let value = 0n;
    for (const digit of digits) {
      const worth = digitValue(digit, base);
      if (worth === undefined || worth >= base) throw this.#numberError("value too great for base");
      value = value * base + worth;
    }
    return BigInt.asIntN(64, value);
  }

  /** Bash shows the expression up to the number that is wrong. */
  #numberError(message: string): ArithmeticError {
    const end = this.#tokenStart + this.#token.length;
    return new ArithmeticError(`${message} (error token is "${this.#token}")`, end);
  }

  #error(message: string): ArithmeticError {
    return new ArithmeticError(
      `${message} (error token is "${this.#text.slice(this.#tokenStart)}")`,
    );
  }
}
