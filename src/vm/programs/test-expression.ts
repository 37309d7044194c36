/** Expressions of test(1), as coreutils reads them: words by their number, then by precedence. */
import { encodeText } from "../../kernel/index.ts";
import { compareIntegers } from "../shell/state/compare-integers.ts";
import { compareFiles, isUnaryTest, testUnary } from "../shell/state/file-tests.ts";
import type { Shell } from "../shell/state/shell.ts";
import { quoteText } from "./quote-text.ts";

/** An expression that is none, in coreutils' words. */
export class TestExpressionError extends Error {}

const numberOperators = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
const fileOperators = ["-nt", "-ot", "-ef"];
const binaryOperators = ["=", "==", "!=", ...numberOperators, ...fileOperators];
/** Parentheses inside each other, at most. */
const DEPTH_LIMIT = 1000;

/** Fails with a TestExpressionError. */
export async function evaluateExpression(shell: Shell, words: readonly string[]): Promise<boolean> {
  return words.length === 0 ? false : new Expression(shell, words).evaluate();
}

class Expression {
  readonly #shell: Shell;
  readonly #words: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(shell: Shell, words: readonly string[]) {
    this.#shell = shell;
    this.#words = words;
  }

  async evaluate(): Promise<boolean> {
    const value = await this.#byCount(this.#words.length);
    const extra = this.#words[this.#at];
    if (extra !== undefined) throw new TestExpressionError(`extra argument ${quoteText(extra)}`);
    return value;
  }

  #peek(ahead = 0): string {
    return this.#words[this.#at + ahead] ?? "";
  }

  #beyond(): TestExpressionError {
    return new TestExpressionError(`missing argument after ${quoteText(this.#words.at(-1) ?? "")}`);
  }

  /** Goes on to a word that may not be missing. */
  #advance(): void {
    this.#at += 1;
    if (this.#at >= this.#words.length) throw this.#beyond();
  }

  async #byCount(count: number): Promise<boolean> {
    if (count === 1) return this.#one();
    if (count === 2) return this.#two();
    if (count === 3) return this.#three();
    if (count === 4 && this.#peek() === "!") {
      this.#advance();
      return !(await this.#three());
    }
    if (count === 4 && this.#peek() === "(" && this.#peek(3) === ")") return this.#inside(2);
    return this.#or();
  }

  #one(): boolean {
    const word = this.#peek();
    this.#at += 1;
    return word !== "";
  }

  async #two(): Promise<boolean> {
    if (this.#peek() === "!") {
      this.#at += 1;
      return !this.#one();
    }
    if (!this.#isSwitch()) throw this.#beyond();
    return this.#unary();
  }

  async #three(): Promise<boolean> {
    const [first, second] = [this.#peek(), this.#peek(1)];
    if (binaryOperators.includes(second)) return this.#binary();
    if (first === "!") {
      this.#advance();
      return !(await this.#two());
    }
    if (first === "(" && this.#peek(2) === ")") return this.#inside(1);
    if (second === "-a" || second === "-o") return this.#or();
    throw new TestExpressionError(`${quoteText(second)}: binary operator expected`);
  }

  /** Between parentheses. */
  async #inside(count: 1 | 2): Promise<boolean> {
    this.#at += 1;
    const value = await this.#byCount(count);
    this.#at += 1;
    return value;
  }

  async #or(): Promise<boolean> {
    if (this.#at >= this.#words.length) throw this.#beyond();
    let value = await this.#and();
    while (this.#peek() === "-o") {
      this.#at += 1;
      value = (await this.#and()) || value;
    }
    return value;
  }

  async #and(): Promise<boolean> {
    let value = await this.#term();
    while (this.#peek() === "-a") {
      this.#at += 1;
      value = (await this.#term()) && value;
    }
    return value;
  }

  async #term(): Promise<boolean> {
    let isNegated = false;
    while (this.#peek() === "!") {
      this.#advance();
      isNegated = !isNegated;
    }
    if (this.#at >= this.#words.length) throw this.#beyond();
    return (await this.#operand()) !== isNegated;
  }

  async #operand(): Promise<boolean> {
    const left = this.#words.length - this.#at;
    if (this.#peek() === "(") return this.#group();
    if (left >= 4 && this.#peek() === "-l" && binaryOperators.includes(this.#peek(2)))
      return this.#binary();
    if (left >= 3 && binaryOperators.includes(this.#peek(1))) return this.#binary();
    return this.#isSwitch() ? this.#unary() : this.#one();
  }

  async #group(): Promise<boolean> {
    this.#depth += 1;
    if (this.#depth > DEPTH_LIMIT) throw new TestExpressionError("memory exhausted");
    this.#advance();
    const close = this.#words.indexOf(")", this.#at + 1) - this.#at;
    const value = await this.#byCount(close > 0 && close <= 4 ? close : this.#words.length);
    this.#depth -= 1;
    const word = this.#words[this.#at];
    if (word === undefined) throw new TestExpressionError("')' expected");
    if (word !== ")") throw new TestExpressionError(`')' expected, found ${quoteText(word)}`);
    this.#at += 1;
    return value;
  }

  #isSwitch(): boolean {
    return /^-[\0-\x7f]$/.test(this.#peek());
  }

  async #unary(): Promise<boolean> {
    const operator = this.#peek();
    if (!isUnaryTest(operator.slice(1)) || "aovR".includes(operator.charAt(1)))
      throw new TestExpressionError(`${quoteText(operator)}: unary operator expected`);
    this.#advance();
    const operand = this.#peek();
    this.#at += 1;
    if (operator === "-t") return testUnary(this.#shell, "t", String(readInteger(operand)));
    return testUnary(this.#shell, operator.slice(1), operand);
  }

  async #binary(): Promise<boolean> {
    const left = this.#side();
    const operator = this.#peek();
    this.#at += 1;
    const right = this.#side();
    if (operator === "!=") return left.text !== right.text;
    if (operator.startsWith("=")) return left.text === right.text;
    if (fileOperators.includes(operator)) {
      if (left.isLength || right.isLength)
        throw new TestExpressionError(`${operator} does not accept -l`);
      return compareFiles(this.#shell, operator, left.text, right.text);
    }
    return compareIntegers(operator, numberOf(left), numberOf(right));
  }

  /** One side of a binary operator; `-l WORD` is the length of it. */
  #side(): Side {
    const isLength = this.#peek() === "-l" && this.#at + 1 < this.#words.length && !this.#isLast();
    if (isLength) this.#at += 1;
    const text = this.#peek();
    this.#at += 1;
    return { text, isLength };
  }

  #isLast(): boolean {
    return binaryOperators.includes(this.#peek(1));
  }
}

interface Side {
  readonly text: string;
  readonly isLength: boolean;
}

function numberOf({ text, isLength }: Side): bigint {
  return isLength ? BigInt(encodeText(text).length) : readInteger(text);
}

function readInteger(text: string): bigint {
  const match = /^[ \t]*([-+]?)(\d+)[ \t]*$/.exec(text);
  if (match === null || text.length > 100_000)
    throw new TestExpressionError(`invalid integer ${quoteText(text)}`);
  const size = BigInt(match[2] ?? "0");
  return match[1] === "-" ? -size : size;
}
