import { decodeText, encodeText, type Program } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { defineProgram, type Run } from "./program.ts";
import { quoteText } from "./quote-text.ts";
import { isUtf8Locale } from "./regexp/characters.ts";
import { RegExpSyntaxError } from "./regexp/errors.ts";
import { TextRegExp } from "./regexp/text-regexp.ts";

/** Parentheses and keywords inside each other, at most. */
const DEPTH_LIMIT = 1000;
/** Digits of a number, at most: products of larger ones take too long. */
const DIGIT_LIMIT = 100_000;

const run = defineProgram(
  {
    name: "expr",
    usage: ["EXPRESSION"],
    summary:
      "Write the value of EXPRESSION: operands with | & < <= = != >= > + - * / % : ( ),\nmatch STRING REGEXP, substr STRING POS LENGTH, index STRING CHARS, length STRING,\n+ TOKEN. Status 1 where it is null or 0, 2 where it is invalid.",
    options: [],
    refusal: 2,
  },
  evaluateOperands,
);

/** Every word is an operand, but for a lone `--help` or `--version`. */
export const main: Program = (sys, argv) => {
  const [name = "expr", ...words] = argv;
  if (words.length === 1 && /^--(?:h|v)/.test(words[0] ?? "")) return run(sys, argv);
  const operands = words[0] === "--" ? words.slice(1) : words;
  return run(sys, [name, "--", ...operands]);
};

async function evaluateOperands({ sys, out, operands }: Run): Promise<number> {
  if (operands.length === 0) throw new UsageError("missing operand");
  const isUtf8 = isUtf8Locale(await sys.environ());
  const words = isUtf8 ? operands : operands.map(bytesAsText);
  const value = new Expression(words, isUtf8).evaluate();
  const shown = String(value);
  out.add(
    isUtf8 ? encodeText(`${shown}\n`) : Uint8Array.from(`${shown}\n`, (one) => one.charCodeAt(0)),
  );
  return isNull(value) ? 1 : 0;
}

/** One character for each byte. */
function bytesAsText(text: string): string {
  return Array.from(encodeText(text), (byte) => String.fromCharCode(byte)).join("");
}

type Value = string | bigint;

function isNull(value: Value): boolean {
  return typeof value === "bigint" ? value === 0n : value === "" || /^-?0+$/.test(value);
}

function refused(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}

function asInteger(value: Value): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (!/^-?\d+$/.test(value)) return undefined;
  if (value.length > DIGIT_LIMIT) throw refused("memory exhausted");
  return BigInt(value);
}

const levels: readonly (readonly string[])[] = [
  ["|"],
  ["&"],
  ["<", "<=", "=", "==", "!=", ">=", ">"],
  ["+", "-"],
  ["*", "/", "%"],
  [":"],
];

/** Reads and evaluates in one go; what `|` and `&` leave out is read only. */
class Expression {
  readonly #words: readonly string[];
  readonly #isUtf8: boolean;
  #at = 0;
  #depth = 0;

  constructor(words: readonly string[], isUtf8: boolean) {
    this.#words = words;
    this.#isUtf8 = isUtf8;
  }

  evaluate(): Value {
    const value = this.#level(0, true);
    const extra = this.#words[this.#at];
    if (extra !== undefined)
      throw refused(`syntax error: unexpected argument ${this.#quote(extra)}`);
    return value;
  }

  #quote(word: string): string {
    return quoteText(this.#asKernelText(word));
  }

  #asKernelText(text: string): string {
    if (this.#isUtf8) return text;
    return decodeText(Uint8Array.from(text, (one) => one.charCodeAt(0)));
  }

  #level(level: number, isLive: boolean): Value {
    const operators = levels[level];
    if (operators === undefined) return this.#keyword(isLive);
    let left = this.#level(level + 1, isLive);
    for (;;) {
      const operator = this.#words[this.#at];
      if (operator === undefined || !operators.includes(operator)) return left;
      this.#at += 1;
      if (operator === "|") left = this.#or(left, level, isLive);
      else if (operator === "&") left = this.#and(left, level, isLive);
      else {
        const right = this.#level(level + 1, isLive);
        if (isLive) left = this.#apply(operator, left, right);
      }
    }
  }

  #or(left: Value, level: number, isLive: boolean): Value {
    const right = this.#level(level + 1, isLive && isNull(left));
    if (!isNull(left)) return left;
    return isNull(right) ? 0n : right;
  }

  #and(left: Value, level: number, isLive: boolean): Value {
    const right = this.#level(level + 1, isLive && !isNull(left));
    return isNull(left) || isNull(right) ? 0n : left;
  }

  #apply(operator: string, left: Value, right: Value): Value {
    if (operator === ":") return this.#match(String(left), String(right));
    if (/[<=>]/.test(operator)) return compare(operator, left, right) ? 1n : 0n;
    return calculate(operator, left, right);
  }

  #keyword(isLive: boolean): Value {
    this.#depth += 1;
    if (this.#depth > DEPTH_LIMIT) throw refused("memory exhausted");
    const value = this.#keywordValue(isLive);
    this.#depth -= 1;
    return value;
  }

  #keywordValue(isLive: boolean): Value {
    const word = this.#words[this.#at];
    if (word === "+") {
      this.#at += 1;
      return this.#next();
    }
    if (word !== "length" && word !== "match" && word !== "index" && word !== "substr")
      return this.#primary(isLive);
    this.#at += 1;
    const first = this.#keyword(isLive);
    if (word === "length") return BigInt(this.#characters(first).length);
    const second = this.#keyword(isLive);
    if (word === "match") return isLive ? this.#match(String(first), String(second)) : first;
    if (word === "index") {
      const wanted = new Set(this.#characters(second));
      return BigInt(this.#characters(first).findIndex((one) => wanted.has(one)) + 1);
    }
    return this.#substring(first, second, this.#keyword(isLive));
  }

  #characters(value: Value): string[] {
    return this.#isUtf8 ? [...String(value)] : String(value).split("");
  }

  #substring(text: Value, position: Value, length: Value): string {
    const from = asInteger(position);
    const count = asInteger(length);
    if (from === undefined || count === undefined || from <= 0n || count <= 0n) return "";
    const characters = this.#characters(text);
    if (from > BigInt(characters.length)) return "";
    const start = Number(from) - 1;
    const end = start + Number(count > BigInt(characters.length) ? characters.length : count);
    return characters.slice(start, end).join("");
  }

  /** A word; it may not be missing. */
  #next(): string {
    const word = this.#words[this.#at];
    if (word === undefined) {
      const before = this.#words[this.#at - 1] ?? "";
      throw refused(`syntax error: missing argument after ${this.#quote(before)}`);
    }
    this.#at += 1;
    return word;
  }

  #primary(isLive: boolean): Value {
    const word = this.#next();
    if (word === ")") throw refused("syntax error: unexpected ')'");
    if (word !== "(") return word;
    const value = this.#level(0, isLive);
    const close = this.#words[this.#at];
    if (close === undefined) {
      const before = this.#words[this.#at - 1] ?? "";
      throw refused(`syntax error: expecting ')' after ${this.#quote(before)}`);
    }
    if (close !== ")")
      throw refused(`syntax error: expecting ')' instead of ${this.#quote(close)}`);
    this.#at += 1;
    return value;
  }

  /** The first group where there is one, else the number of characters that match. */
  #match(text: string, pattern: string): Value {
    try {
      const regExp = new TextRegExp(this.#asKernelText(pattern), {
        syntax: "basic",
        flavour: "gnu",
        isUtf8: this.#isUtf8,
        place: "start",
      });
      const found = regExp.exec(this.#asKernelText(text))?.groups[regExp.groupCount > 0 ? 1 : 0];
      const shown = this.#isUtf8 ? (found ?? "") : bytesAsText(found ?? "");
      return regExp.groupCount > 0 ? shown : BigInt(this.#characters(shown).length);
    } catch (error) {
      if (error instanceof RegExpSyntaxError) throw refused(error.message);
      throw error;
    }
  }
}

function compare(operator: string, left: Value, right: Value): boolean {
  const a = asInteger(left);
  const b = asInteger(right);
  const order = a !== undefined && b !== undefined ? sign(a, b) : sign(String(left), String(right));
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  if (operator === ">") return order > 0;
  if (operator === ">=") return order >= 0;
  return operator === "!=" ? order !== 0 : order === 0;
}

function sign<T extends string | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function calculate(operator: string, left: Value, right: Value): bigint {
  const a = asInteger(left);
  const b = asInteger(right);
  if (a === undefined || b === undefined) throw refused("non-integer argument");
  if (operator === "+") return a + b;
  if (operator === "-") return a - b;
  if (operator === "*") return a * b;
  if (b === 0n) throw refused("division by zero");
  return operator === "/" ? a / b : a % b;
}
