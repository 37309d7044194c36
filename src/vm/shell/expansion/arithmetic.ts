/** Evaluates arithmetic in 64-bit two's complement, with the shell's variables as its memory. */

import { assignElement, assignScalar, isKeyed, readElement } from "../state/assign.ts";
import { compareIntegers } from "../state/compare-integers.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { readSubscript } from "../state/subscript.ts";
import type { ArithmeticNode, VariableNode } from "./arithmetic-node.ts";
import { ArithmeticError, parseArithmetic } from "./arithmetic-parser.ts";

/** Variables whose values are expressions with variables: bash stops at 1024, we at less stack. */
const RECURSION_LIMIT = 256;

/** The value of text whose expansions are made. Fails with a ShellError that names the expression. */
export function evaluateArithmetic(shell: Shell, text: string): bigint {
  return evaluateText(shell, text, 0);
}

function evaluateText(shell: Shell, text: string, depth: number): bigint {
  if (/^\s*-?(?:0|[1-9]\d{0,17})\s*$/.test(text)) return BigInt(text);
  if (depth > RECURSION_LIMIT)
    throw new ShellError(
      `${text.trimStart()}: expression recursion level exceeded (error token is "${text.trimStart()}")`,
    );
  try {
    const node = shell.remember(shell.arithmeticCache, text, parseArithmetic);
    return new Evaluation(shell, depth).value(node);
  } catch (error) {
    if (error instanceof ArithmeticError)
      throw new ShellError(`${text.slice(0, error.shownEnd).trimStart()}: ${error.message}`);
    throw error;
  }
}

type BinaryNode = Extract<ArithmeticNode, { kind: "binary" }>;

class Evaluation {
  readonly #shell: Shell;
  readonly #depth: number;

  constructor(shell: Shell, depth: number) {
    this.#shell = shell;
    this.#depth = depth;
  }

  value(node: ArithmeticNode): bigint {
    switch (node.kind) {
      case "number":
        return node.value;
      case "variable":
        return this.#read(node);
      case "unary":
        return applyUnary(node.operator, this.value(node.operand));
      case "step":
        return this.#step(node);
      case "binary":
        return this.#binary(node);
      case "assign": {
        const value = this.value(node.value);
        const result =
          node.operator === "" ? value : applyBinary(node.operator, this.#read(node.target), value);
        this.#write(node.target, result);
        return result;
      }
      case "choice":
        return this.value(node.test) === 0n ? this.value(node.no) : this.value(node.yes);
    }
  }

  /** A long sum is deep on its left: it is walked, not called. */
  #binary(node: BinaryNode): bigint {
    const spine: BinaryNode[] = [];
    let first: ArithmeticNode = node;
    for (; first.kind === "binary"; first = first.left) spine.push(first);
    let value = this.value(first);
    for (const { operator, right } of spine.toReversed()) {
      if (operator === "&&") value = value !== 0n && this.value(right) !== 0n ? 1n : 0n;
      else if (operator === "||") value = value !== 0n || this.value(right) !== 0n ? 1n : 0n;
      else value = applyBinary(operator, value, this.value(right));
    }
    return value;
  }

  #step(node: Extract<ArithmeticNode, { kind: "step" }>): bigint {
    const before = this.#read(node.target);
    const after = BigInt.asIntN(64, node.operator === "++" ? before + 1n : before - 1n);
    this.#write(node.target, after);
    return node.isPrefix ? after : before;
  }

  #read(node: VariableNode): bigint {
    const shell = this.#shell;
    const text =
      node.index === undefined
        ? readScalar(shell, node.name)
        : readElement(shell, node.name, this.#subscript(node.name, node.index));
    if (text === undefined && shell.options.has("nounset")) throw unbound(shell, node);
    return text === undefined || text === "" ? 0n : evaluateText(shell, text, this.#depth + 1);
  }

  #write(node: VariableNode, value: bigint): void {
    const text = value.toString();
    if (node.index === undefined) assignScalar(this.#shell, node.name, text);
    else
      assignElement(this.#shell, {
        name: node.name,
        index: this.#subscript(node.name, node.index),
        value: text,
        isAppend: false,
      });
  }

  /** A key as it counts; an index is read where it is evaluated. */
  #subscript(name: string, index: string): string {
    return isKeyed(this.#shell, name) ? readSubscript(this.#shell, index, "key") : index;
  }
}

function unbound(shell: Shell, { name, index }: VariableNode): ShellError {
  const shown = index === undefined ? name : `${name}[${index}]`;
  return new ShellError(`${shown}: unbound variable`, "shell", shell.fatalStatus);
}

function readScalar(shell: Shell, name: string): string | undefined {
  const { variables } = shell;
  if (variables.findUnresolved(name)?.isReference !== true) return variables.get(name);
  const target = variables.follow(name);
  if (target?.index === undefined) return variables.get(name);
  return readElement(
    shell,
    target.name,
    readSubscript(shell, target.index, isKeyed(shell, target.name) ? "key" : "index"),
  );
}

function applyUnary(operator: string, value: bigint): bigint {
  switch (operator) {
    case "-":
      return BigInt.asIntN(64, -value);
    case "!":
      return value === 0n ? 1n : 0n;
    case "~":
      return ~value;
    default:
      return value;
  }
}

function applyBinary(operator: string, left: bigint, right: bigint): bigint {
  switch (operator) {
    case "+":
      return BigInt.asIntN(64, left + right);
    case "-":
      return BigInt.asIntN(64, left - right);
    case "*":
      return BigInt.asIntN(64, left * right);
    case "/":
    case "%":
      return divide(operator, left, right);
    case "**":
      return power(left, right);
    case "<<":
      return BigInt.asIntN(64, left << (right & 63n));
    case ">>":
      return left >> (right & 63n);
    case "&":
      return left & right;
    case "|":
      return left | right;
    case "^":
      return left ^ right;
    case ",":
      return right;
    default:
      return compareIntegers(operator, left, right) ? 1n : 0n;
  }
}

function divide(operator: "/" | "%", left: bigint, right: bigint): bigint {
  if (right === 0n) throw new ArithmeticError(`division by 0 (error token is "${right}")`);
  return BigInt.asIntN(64, operator === "/" ? left / right : left % right);
}

function power(base: bigint, exponent: bigint): bigint {
  if (exponent < 0n)
    throw new ArithmeticError(`exponent less than 0 (error token is "${-exponent}")`);
  let result = 1n;
  let factor = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = BigInt.asIntN(64, result * factor);
    factor = BigInt.asIntN(64, factor * factor);
  }
  return result;
}
