import { compareIntegers } from "../state/compare-integers.ts";
import { compareFiles, isUnaryTest, testUnary } from "../state/file-tests.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";

/** `test` and `[`. 2 is a mistake in the expression. */
export async function test(shell: Shell, words: readonly string[]): Promise<number> {
  const [name = "test"] = words;
  if (name === "[" && words.at(-1) !== "]") {
    await shell.complain("[: missing `]'");
    return 2;
  }
  const operands = name === "[" ? words.slice(1, -1) : words.slice(1);
  try {
    return (await evaluateOperands(shell, operands)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    await shell.complain(`${name}: ${error.message}`);
    return 2;
  }
}

/** Whether an expression holds. Fails with a ShellError that says what is wrong with it. */
async function evaluateOperands(shell: Shell, operands: readonly string[]): Promise<boolean> {
  return new TestParser(shell, operands).evaluate();
}

const binaryOperators = [
  "=",
  "==",
  "!=",
  "<",
  ">",
  "-eq",
  "-ne",
  "-lt",
  "-le",
  "-gt",
  "-ge",
  "-nt",
  "-ot",
  "-ef",
];

class TestParser {
  readonly #shell: Shell;
  readonly #words: readonly string[];
  #at = 0;

  constructor(shell: Shell, words: readonly string[]) {
    this.#shell = shell;
    this.#words = words;
  }

  /** POSIX gives up to four words a meaning by their number; more are parsed. */
  async evaluate(): Promise<boolean> {
    return this.#byCount(this.#words);
  }

  async #byCount(words: readonly string[]): Promise<boolean> {
    const [first = "", second = "", third = ""] = words;
    switch (words.length) {
      case 0:
        return false;
      case 1:
        return first !== "";
      case 2:
        if (first === "!") return second === "";
        if (isUnary(first)) return testUnary(this.#shell, first.slice(1), second);
        throw new ShellError(`${first}: unary operator expected`);
      case 3:
        if (isBinary(second)) return this.#binary(first, second, third);
        if (second === "-a") return first !== "" && third !== "";
        if (second === "-o") return first !== "" || third !== "";
        if (first === "!") return !(await this.#byCount(words.slice(1)));
        if (first === "(" && third === ")") return second !== "";
        throw new ShellError(`${second}: binary operator expected`);
      case 4:
        if (first === "!") return !(await this.#byCount(words.slice(1)));
        if (first === "(" && words[3] === ")") return this.#byCount(words.slice(1, -1));
        break;
      default:
    }
    const result = await this.#or();
    if (this.#at < this.#words.length) throw new ShellError("too many arguments");
    return result;
  }

  async #or(): Promise<boolean> {
    let result = await this.#and();
    while (this.#words[this.#at] === "-o") {
      this.#at += 1;
      const right = await this.#and();
      result = result || right;
    }
    return result;
  }

  async #and(): Promise<boolean> {
    let result = await this.#not();
    while (this.#words[this.#at] === "-a") {
      this.#at += 1;
      const right = await this.#not();
      result = result && right;
    }
    return result;
  }

  async #not(): Promise<boolean> {
    if (this.#words[this.#at] !== "!" || this.#at + 1 >= this.#words.length) return this.#primary();
    this.#at += 1;
    return !(await this.#not());
  }

  async #primary(): Promise<boolean> {
    const [word, next, afterNext] = this.#words.slice(this.#at, this.#at + 3);
    if (word === undefined) throw new ShellError("argument expected");
    if (word === "(") {
      this.#at += 1;
      const result = await this.#or();
      if (this.#words[this.#at] !== ")") throw new ShellError("`)' expected");
      this.#at += 1;
      return result;
    }
    if (next !== undefined && afterNext !== undefined && isBinary(next)) {
      this.#at += 3;
      return this.#binary(word, next, afterNext);
    }
    if (isUnary(word) && next !== undefined) {
      this.#at += 2;
      return testUnary(this.#shell, word.slice(1), next);
    }
    this.#at += 1;
    return word !== "";
  }

  async #binary(left: string, operator: string, right: string): Promise<boolean> {
    switch (operator) {
      case "=":
      case "==":
        return left === right;
      case "!=":
        return left !== right;
      case "<":
        return left < right;
      case ">":
        return left > right;
      case "-nt":
      case "-ot":
      case "-ef":
        return compareFiles(this.#shell, operator, left, right);
      default:
        return compareIntegers(operator, integer(left), integer(right));
    }
  }
}

function isUnary(word: string): boolean {
  return word.length === 2 && word.startsWith("-") && isUnaryTest(word.slice(1));
}

function isBinary(word: string): boolean {
  return binaryOperators.includes(word);
}

function integer(text: string): bigint {
  const value = /^\s*[-+]?\d+\s*$/.test(text) ? BigInt(text.trim().replace(/^\+/, "")) : undefined;
  if (value === undefined || BigInt.asIntN(64, value) !== value)
    throw new ShellError(`${text}: integer expression expected`);
  return value;
}
