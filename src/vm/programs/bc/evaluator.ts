/** Works out bc's expressions. Those with a call in them wait, all others do not. */

import { mathFunction } from "./math-library.ts";
import {
  add,
  BcNumberError,
  compare,
  digitCount,
  divide,
  fromInteger,
  modulo,
  multiply,
  type Num,
  negate,
  ONE,
  parseNumber,
  raise,
  squareRoot,
  subtract,
  toInteger,
  ZERO,
} from "./number.ts";
import type { BcArray, BcState } from "./state.ts";
import type { BinaryOperator, Expr, FunctionNode, Target } from "./syntax.ts";

/** Ends the line that runs. */
export class BcRuntimeError extends Error {
  readonly address: number;
  readonly functionName: string;

  constructor(message: string, address: number, functionName: string) {
    super(message);
    this.address = address;
    this.functionName = functionName;
  }
}

export interface Printer {
  text(text: string): void;
  /** Wrapped where it is too long for a line. */
  number(text: string): void;
  warn(message: string): Promise<void>;
  flushFull(): Promise<void>;
}

export interface EvaluatorOptions {
  readonly state: BcState;
  readonly printer: Printer;
  readonly call: (node: FunctionNode) => Promise<Num | undefined>;
  readonly readLine: () => Promise<string>;
}

type Node<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;

const INDEX_LIMIT = 16_777_216n;

export class Evaluator {
  readonly #options: EvaluatorOptions;
  /** The function that runs, as messages call it. */
  #name = "(main)";

  constructor(options: EvaluatorOptions) {
    this.#options = options;
  }

  async test(expr: Expr): Promise<boolean> {
    return (await this.value(expr)).digits !== 0n;
  }

  async value(expr: Expr): Promise<Num> {
    switch (expr.kind) {
      case "number":
        return parseNumber(expr.text, this.#state.ibase);
      case "variable":
      case "element":
      case "special":
        return this.#load(expr);
      case "array":
        return ZERO;
      case "assign":
        return this.#assign(expr);
      case "step":
        return this.#step(expr);
      case "binary": {
        const left = await this.value(expr.left);
        return this.#apply(expr.operator, left, await this.value(expr.right), expr.address);
      }
      case "compare":
        return this.#compare(expr);
      case "and":
        return toBit((await this.test(expr.left)) && (await this.test(expr.right)));
      case "or":
        return toBit((await this.test(expr.left)) || (await this.test(expr.right)));
      case "negate":
        return negate(await this.value(expr.operand));
      case "not":
        return toBit(!(await this.test(expr.operand)));
      case "group":
        return this.value(expr.operand);
      case "call":
        return this.#call(expr);
      case "builtin":
        return this.#builtin(expr);
    }
  }

  get #state(): BcState {
    return this.#options.state;
  }

  #error(message: string, address: number): BcRuntimeError {
    return new BcRuntimeError(message, address, this.#name);
  }

  async #index(expr: Expr, name: string): Promise<bigint> {
    const index = toInteger(await this.value(expr));
    if (index < 0n || index >= INDEX_LIMIT)
      throw this.#error(`Array ${name} subscript out of bounds.`, 0);
    return index;
  }

  async #load(target: Target): Promise<Num> {
    const state = this.#state;
    if (target.kind === "variable") return state.variable(target.name);
    if (target.kind === "special") return state.special(target.name);
    return state.element(target.name, await this.#index(target.index, target.name));
  }

  async #store(target: Target, value: Num, address = 0): Promise<void> {
    const state = this.#state;
    if (target.kind === "variable") {
      state.setVariable(target.name, value);
      return;
    }
    if (target.kind === "special") {
      const warning = state.setSpecial(target.name, value);
      if (warning !== undefined) await this.#warn(warning, address);
      return;
    }
    const index = await this.#index(target.index, target.name);
    if (!state.setElement(target.name, index, value)) throw this.#error("Out of memory", 0);
  }

  async #warn(message: string, address: number): Promise<void> {
    await this.#options.printer.warn(
      `Runtime warning (func=${this.#name}, adr=${address}): ${message}`,
    );
  }

  async #assign({ target, operator, value, address }: Node<"assign">): Promise<Num> {
    const right = await this.value(value);
    const made =
      operator === undefined
        ? right
        : await this.#apply(operator, await this.#load(target), right, address);
    await this.#store(target, made, address);
    return target.kind === "special" ? this.#load(target) : made;
  }

  async #step({ target, by, isPrefix }: Node<"step">): Promise<Num> {
    const before = await this.#load(target);
    const made = add(before, fromInteger(by));
    await this.#store(target, made);
    return isPrefix ? made : before;
  }

  async #compare({ operator, left, right }: Node<"compare">): Promise<Num> {
    const first = await this.value(left);
    const order = compare(first, await this.value(right));
    switch (operator) {
      case "<":
        return toBit(order < 0);
      case "<=":
        return toBit(order <= 0);
      case "==":
        return toBit(order === 0);
      case "!=":
        return toBit(order !== 0);
      case ">":
        return toBit(order > 0);
      default:
        return toBit(order >= 0);
    }
  }

  async #apply(operator: BinaryOperator, left: Num, right: Num, address: number): Promise<Num> {
    const { scale } = this.#state;
    if (operator === "^" && right.scale > 0 && right.digits % 10n ** BigInt(right.scale) !== 0n)
      await this.#warn("non-zero scale in exponent", address);
    try {
      return applyOperator(operator, left, right, scale);
    } catch (error) {
      if (error instanceof BcNumberError) throw this.#error(error.message, address);
      throw error;
    }
  }

  async #builtin({ name, argument, address }: Node<"builtin">): Promise<Num> {
    if (name === "read" || argument === undefined)
      return parseNumber((await this.#options.readLine()).trim() || "0", this.#state.ibase);
    const value = await this.value(argument);
    if (name === "length") return fromInteger(digitCount(value));
    if (name === "scale") return fromInteger(value.scale);
    try {
      return squareRoot(value, this.#state.scale);
    } catch (error) {
      if (error instanceof BcNumberError) throw this.#error(error.message, address);
      throw error;
    }
  }

  async #call({ name, args, address }: Node<"call">): Promise<Num> {
    const state = this.#state;
    const values: (Num | BcArray)[] = [];
    for (const one of args)
      values.push(one.kind === "array" ? state.array(one.name) : await this.value(one));
    const node = state.functions.get(name);
    if (node === undefined) {
      const numbers = values.filter((one): one is Num => !(one instanceof Map));
      const made = state.hasMath ? mathFunction(name, numbers, state.scale) : undefined;
      if (made === undefined) throw this.#error(`Function ${name} not defined.`, address);
      return made;
    }
    const count = node.parameters.length;
    if (values.length !== count)
      throw this.#error("Parameter number mismatch", address + Math.min(values.length, count) + 1);
    return this.#enter(node, values);
  }

  async #enter(node: FunctionNode, values: readonly (Num | BcArray)[]): Promise<Num> {
    const state = this.#state;
    const names = [...node.parameters, ...node.autos];
    for (const [at, parameter] of names.entries()) state.push(parameter, values[at] ?? ZERO);
    const caller = this.#name;
    const { ibase } = state;
    this.#name = node.name;
    try {
      return (await this.#options.call(node)) ?? ZERO;
    } finally {
      this.#name = caller;
      state.ibase = ibase;
      for (const parameter of names) state.pop(parameter);
    }
  }
}

function applyOperator(operator: BinaryOperator, left: Num, right: Num, scale: number): Num {
  switch (operator) {
    case "+":
      return add(left, right);
    case "-":
      return subtract(left, right);
    case "*":
      return multiply(left, right, scale);
    case "/":
      return divide(left, right, scale);
    case "%":
      return modulo(left, right, scale);
    case "^":
      return raise(left, right, scale);
  }
}

function toBit(isTrue: boolean): Num {
  return isTrue ? ONE : ZERO;
}
